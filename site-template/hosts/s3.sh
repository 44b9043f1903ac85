#!/bin/sh
# Puts the tree of a Skillmirror registry into an S3 bucket that is a website, made by `skillmirror hosts s3`
# (version {{ version }}). docs/hosting.md explains it. Usage: sh s3.sh BUCKET. Run it again when the tree
# has changed, and make it again after an update of Skillmirror. It needs the AWS CLI and md5sum.
#
# The bucket gets nothing but the tree: every other object in it is deleted.
#
# A bucket has no rules for paths and queries: clients ask for files with their suffixes. For all other
# reads put a worker or CloudFront in front of it.
set -eu
export LC_ALL=C
bucket=${1:?usage: sh s3.sh BUCKET}
cd "{{ root }}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The head is copied last. It is read first, so that it never names what the bucket lacks. A folder
# without a head is no tree: the script ends here.
head=api/v1/mirror/head.json
cp "$head" "$work/head.json"

# Everybody may read objects. s3:ListBucket makes a missing object 404 instead of 403.
aws s3api delete-public-access-block --bucket "$bucket"
aws s3api put-bucket-policy --bucket "$bucket" --policy "{
  \"Version\": \"2012-10-17\",
  \"Statement\": [
    { \"Effect\": \"Allow\", \"Principal\": \"*\", \"Action\": \"s3:GetObject\", \"Resource\": \"arn:aws:s3:::$bucket/*\" },
    { \"Effect\": \"Allow\", \"Principal\": \"*\", \"Action\": \"s3:ListBucket\", \"Resource\": \"arn:aws:s3:::$bucket\" }
  ]
}"
aws s3 website "s3://$bucket" --index-document index.html --error-document 404.html
# Scripts of other sites may read everything.
aws s3api put-bucket-cors --bucket "$bucket" --cors-configuration '{"CORSRules":[{
  "AllowedOrigins":["*"], "AllowedMethods":["GET","HEAD"], "AllowedHeaders":["*"], "MaxAgeSeconds":86400,
  "ExposeHeaders":["Accept-Ranges","Content-Disposition","Content-Range","ETag"]
}]}'

# What has changed is found by content, "MD5 key" in each line: `aws s3 sync` compares times, and those of the
# tree are not the time of day (docs/tree.md). An ETag is the MD5 of an object, unless the object is larger
# than 8 MB or encrypted with a key of KMS. Such files are copied each time; packages of versions never, because
# they do not change.
package='^api/v1/(skills/[^/]+/[^/]+/versions/[^/]+/download|download/[^/]+/[0-9]+[.][0-9]+[.][0-9]+[^/]*)[.]zip$'
lines() {
    awk -F '\t' -v OFS='\t' -v package="$package" 'NF == 2 { gsub("\"", "", $1); if ($2 ~ package) $1 = "-"; print }' | sort
}
aws s3api list-objects-v2 --bucket "$bucket" --query 'Contents[].[ETag,Key]' --output text > "$work/listing"
lines < "$work/listing" > "$work/there"
# Siblings for nginx (.gz) and temporary files stay out.
find . -name .tmp -prune -o -type f ! -name '*.gz' -exec md5sum {} + > "$work/sums"
awk '{ print $1 "\t" substr($0, 37) }' "$work/sums" | lines > "$work/wanted"
comm -13 "$work/there" "$work/wanted" | cut -f 2 | awk -v head="$head" '$0 != head' > "$work/changed"
cut -f 2 "$work/there" | sort > "$work/keys"
cut -f 2 "$work/wanted" | sort | comm -23 "$work/keys" - > "$work/gone"

# put TYPE CACHE-CONTROL EXPRESSION: copies the changed files whose paths match it, unless an earlier
# expression matched them.
put() {
    grep -E "$3" "$work/changed" > "$work/now" || return 0
    grep -Ev "$3" "$work/changed" > "$work/later" || true
    mv "$work/later" "$work/changed"
    mkdir "$work/files"
    tar -cf - -T "$work/now" | tar -xf - -C "$work/files"
    aws s3 cp "$work/files" "s3://$bucket" --recursive --no-progress --content-type "$1" --cache-control "$2"
    rm -r "$work/files"
}
short='{{ cache.short }}'
forever='{{ cache.immutable }}'
{% for type in types %}
{{ type.suffix }}='{{ type.full }}'
{% endfor %}
git=application/x-git-upload-pack

# What others refer to comes first (docs/tree.md): packages, and the files that pages load.
put "$zip" "$forever" "$package"
put "$css" "$forever" '^assets/.*[.]css$'
put "$js" "$forever" '^assets/.*[.]js$'
put "$svg" "$forever" '^assets/.*[.]svg$'
put "$png" "$forever" '^assets/.*[.]png$'
put "$txt" "$forever" '^assets/.*[.]txt$'
# Documents of versions, then of skills, then their pages.
put "$json" "$short" '^api/v1/skills/[^/]+/[^/]+/versions/.*[.]json$'
put "$txt" "$short" '/proof$'
put "$json" "$short" '^(api/v1/skills|api/v1/resolve|clawhub/api/v1/skills)/[^_].*[.]json$'
put "$zip" "$short" '[.]zip$'
put "$md" "$short" '[.]md$'
put "$html" "$short" '^[^_./][^/]*/[^_./][^/]*/[^_./][^/]*/index[.]html$'
put "$html" "$short" '^[^_./][^/]*/[^_./][^/]*/index[.]html$'
put "$git-result" "$short" '[.]git/git-upload-pack$'
put "$git-advertisement" "$short" '[.]git/info/refs$'
# The search index, lists and the feed, and pages that show several skills.
put "$bin" "$forever" '^api/v1/search/_index/[0-9a-f]+[.]bin$'
put "$bin" "$short" '^api/v1/search/_index/'
put "$json" "$short" '[.]json$'
put "$txt" "$short" '[.]txt$'
put "$html" '{{ cache.missing }}' '^404[.]html$'
put "$html" "$short" '[.]html$'
put "$xml" "$short" '[.]xml$'
put "$atom" "$short" '[.]atom$'
# Tiles of the log, then its checkpoint.
put "$bin" "$forever" '^api/v1/log/tile/[^.]*$'
put "$bin" "$short" '^api/v1/log/tile/'
put "$txt" "$short" '^api/v1/log/'
put "$bin" "$short" '.'

# Nothing refers to what is gone any more.
echo "deleting $(wc -l < "$work/gone") objects"
split -a 4 -l 1000 "$work/gone" "$work/gone-"
for batch in "$work"/gone-*; do
    [ -e "$batch" ] || continue
    {
        printf '{"Quiet":true,"Objects":['
        sed -e 's/[\\"]/\\&/g' -e 's/.*/{"Key":"&"}/' -e '$!s/$/,/' "$batch"
        printf ']}'
    } > "$work/batch.json"
    failed=$(aws s3api delete-objects --bucket "$bucket" --delete "file://$work/batch.json" --query 'Errors[].Key' --output text)
    case $failed in '' | None) ;; *) echo "not deleted: $failed" >&2 && exit 1 ;; esac
done
aws s3 cp "$work/head.json" "s3://$bucket/$head" --no-progress --content-type "$json" --cache-control "$short"
