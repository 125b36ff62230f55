#!/usr/bin/env bash
# OpenAPI::Client 1.07 with JSON::Validator 5.14 for Perl (Debian 12: libopenapi-client-perl), which makes a method of
# each operation of an OpenAPI document.
# Expected: as its documentation says, the document may be "v2.x or v3.x", and its methods "transform parameters into a
# HTTP request", each as its style says: a deepObject metadata is metadata[campaign]=summer, and a list with explode
# false is status=PENDING,PAID.
# Really: a deepObject is not sent, however it is given. The list that should be one of summer's batches is one of all
# batches, with any other filter. Styles of version 3 are not looked at: a list is always sent as
# status=PENDING&status=PAID, also where it is pipeDelimited. Such a request is valid, so that the answer is a success.
# Perl warns of an uninitialized value in the package itself, with or without such a filter. Texts, numbers and lists
# that explode are right, and so are headers and bodies.
# What follows: a program that cancels what belongs to a campaign cancels everything. Put such parameters into the
# address in the event after_build_tx. openapi.json has such a parameter, metadata, for lists; it is of version 3.1,
# which has to be made 3.0 for this client.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download libopenapi-client-perl=1.07-1 libjson-validator-perl=5.14+dfsg-1 libmojolicious-perl \
  libyaml-libyaml-perl openapi-specification 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
cat >api.json <<'JSON'
{ "openapi": "3.0.3", "info": { "title": "points", "version": "1" }, "servers": [{ "url": "http://127.0.0.1:1/v1" }],
  "paths": { "/batches": { "get": { "operationId": "listBatches", "responses": { "200": { "description": "OK" } },
    "parameters": [
      { "in": "query", "name": "reference", "schema": { "type": "string" } },
      { "in": "query", "name": "kind", "schema": { "type": "array", "items": { "type": "string" } } },
      { "in": "query", "name": "status", "style": "form", "explode": false,
        "schema": { "type": "array", "items": { "type": "string" } } },
      { "in": "query", "name": "metadata", "style": "deepObject", "explode": true,
        "schema": { "type": "object", "additionalProperties": { "type": "string" } } } ] } } } }
JSON
cat >ask.pl <<'PERL'
use strict;
use OpenAPI::Client;
my $client = OpenAPI::Client->new("file://$ENV{PWD}/api.json");
$client->on(after_build_tx => sub { print $_[1]->req->url->path_query, $_[1]->error ? " refused" : "", "\n" });
for my $parameters (
    { reference => "R&D" },
    { kind   => ["a", "b"] },
    { status => ["PENDING", "PAID"] },
    { metadata => { campaign => "summer" } },
    { "metadata[campaign]" => "summer" },
    { metadata => { campaign => "summer" }, reference => "7" },
) {
    $client->listBatches($parameters);
}
PERL
PERL5LIB=$dir/usr/share/perl5:$(echo "$dir"/usr/lib/*-linux-gnu/perl5/5.36)
export PERL5LIB
seen=$(perl ask.pl 2>/dev/null)
wanted='/v1/batches?reference=R%26D
/v1/batches?kind=a&kind=b
/v1/batches?status=PENDING&status=PAID
/v1/batches
/v1/batches
/v1/batches?reference=7'
[ "$seen" = "$wanted" ] || { printf 'It asked for\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: OpenAPI::Client asks for all batches where a filter is a deepObject"
