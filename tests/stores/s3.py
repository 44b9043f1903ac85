"""Signed requests to the API of S3."""

import datetime
import hashlib
import hmac
import html
import http.client
import re
import urllib.parse
import urllib.request

REGION = "default"


def status(url):
    """The status of an address. None if nobody answers."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status
    except OSError as failure:
        return getattr(failure, "code", None)


def ask(endpoint, credentials, method, path, query="", body=b""):
    """The body of the answer. Any status but 2xx is an error."""
    address = urllib.parse.urlsplit(endpoint)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=120)
    headers = signed(address.netloc, credentials, method, path, query, body)
    connection.request(method, f"{path}?{query}" if query else path, body, headers)
    answer = connection.getresponse()
    found = answer.read()
    connection.close()
    assert answer.status < 300, (method, path, query, answer.status, found)
    return found


def signed(host, credentials, method, path, query, body):
    """The headers of a request that is signed with AWS Signature Version 4."""
    key, secret = credentials
    stamp = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    digest = hashlib.sha256(body).hexdigest()
    headers = {"host": host, "x-amz-content-sha256": digest, "x-amz-date": stamp}
    names = ";".join(headers)
    lines = [f"{name}:{value}" for name, value in headers.items()]
    canonical = "\n".join([method, path, query, *lines, "", names, digest])
    scope = f"{stamp[:8]}/{REGION}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    derived = f"AWS4{secret}".encode()
    for part in (*scope.split("/"), text):
        derived = hmac.new(derived, part.encode(), hashlib.sha256).digest()
    value = f"AWS4-HMAC-SHA256 Credential={key}/{scope}, SignedHeaders={names}, Signature={derived.hex()}"
    return {**headers, "Authorization": value}


def listed(endpoint, credentials, bucket):
    """The keys of all objects of a bucket, with their sizes."""
    return {key: int(size) for key, _, size in objects(endpoint, credentials, bucket)}


def digests(endpoint, credentials, bucket):
    """The keys of all objects of a bucket, with their ETags: the MD5 of each, unless it is large."""
    return {key: tag for key, tag, _ in objects(endpoint, credentials, bucket)}


def objects(endpoint, credentials, bucket):
    """Key, ETag and size of each object of a bucket."""
    marker = ""
    while True:
        query = f"marker={urllib.parse.quote(marker, safe='')}&max-keys=1000"
        text = ask(endpoint, credentials, "GET", f"/{bucket}", query).decode()
        entry = r"<Key>([^<]*)</Key>.*?<ETag>(?:&quot;|\")([^<]*?)(?:&quot;|\")</ETag>.*?<Size>([0-9]+)</Size>"
        found = [(html.unescape(key), tag, size) for key, tag, size in re.findall(entry, text, re.DOTALL)]
        yield from found
        if "<IsTruncated>true<" not in text:
            return
        marker = found[-1][0]
