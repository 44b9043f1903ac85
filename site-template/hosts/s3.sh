#!/bin/sh
# Puts the tree of a Skillmirror registry into an S3 bucket that is a website, made by `skillmirror hosts s3`
# (version {{ version }}). docs/hosting.md explains it. Usage: sh s3.sh BUCKET. Run it again when the tree
# has changed, and make it again after an update of Skillmirror.
#
# A bucket has no rules for paths and queries: clients ask for files with their suffixes. For all other
# reads put a worker or CloudFront in front of it.
set -eu
bucket=${1:?usage: sh s3.sh BUCKET}
cd "{{ root }}"

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
aws s3api put-bucket-cors --bucket "$bucket" --cors-configuration \
    '{"CORSRules":[{"AllowedOrigins":["*"],"AllowedMethods":["GET","HEAD"],"ExposeHeaders":["ETag"]}]}'

# put TYPE CACHE-CONTROL FILTER…: copies the files that the filters select. The last one that fits counts.
put() {
    type=$1 cache=$2
    shift 2
    aws s3 sync . "s3://$bucket" --no-progress --exclude '*' "$@" --content-type "$type" --cache-control "$cache"
}
short='{{ cache.short }}'
forever='{{ cache.immutable }}'

# What others refer to comes first, and the head last (docs/tree.md): first what never changes.
put application/zip "$forever" --include 'api/v1/skills/*/versions/*/download.zip'
put application/zip "$forever" --include 'api/v1/download/*/[0-9]*.[0-9]*.[0-9]*.zip'
put application/octet-stream "$forever" --include 'api/v1/search/_index/*.bin' --exclude '*/manifest.bin'
{% for type in types if type.suffix in ["css", "js", "svg"] %}
put '{{ type.full }}' "$forever" --include 'assets/*.{{ type.suffix }}'
{% endfor %}
put application/octet-stream "$forever" --include 'api/v1/log/tile/*' --exclude '*.p/*'

{% for type in types if type.suffix not in ["css", "js", "svg", "bin"] %}
put '{{ type.full }}' "$short" --include '*.{{ type.suffix }}'{% if type.suffix == "zip" %} --exclude 'api/v1/skills/*/versions/*/download.zip' \
    --exclude 'api/v1/download/*/[0-9]*.[0-9]*.[0-9]*.zip'{% endif %}{% if type.suffix == "json" %} --exclude 'api/v1/mirror/head.json'{% endif %}

{% endfor %}
put application/octet-stream "$short" --include 'api/v1/search/_index/manifest.bin' --include 'api/v1/log/tile/*.p/*'
put 'text/plain; charset=utf-8' "$short" --include '*/proof' --include 'api/v1/log/checkpoint' --include 'api/v1/log/epoch'
put application/json "$short" --include 'api/v1/mirror/head.json'
