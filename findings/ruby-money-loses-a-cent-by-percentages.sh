#!/usr/bin/env bash
# money 6.16.0 for Ruby (Debian 12: ruby-money), allocate, which splits an amount by a list of parts.
# Expected: as its documentation says, "without losing pennies", and "the results should always add up to the original
# amount". The parts are numbers of any kind.
# Really: where they are floats, such as 0.57 and 0.43, a dollar becomes 56 and 43 cents. The last part is a quotient as
# well, of what is left: 57 * 0.57 / 0.57 is a bit less than 57 for a double, and what is behind the point is cut off.
# Of the splits of 1.00, 10.00 and 123.45 by whole percentages as floats, 15 of 297 add up to a cent less. By whole
# numbers, 57 and 43, and by BigDecimal all are right. Nothing is said.
# What follows: a pot is not paid out whole, and its books do not add up to 0. Give whole numbers, as the weights of a
# payout are.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download ruby-money=6.16.0-1 ruby-i18n=1.10.0-2 ruby-concurrent ruby3.1 libruby3.1 libyaml-0-2 libgmp10 \
  libcrypt1 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH
cat >split.rb <<'RUBY'
require "money"
Money.rounding_mode = BigDecimal::ROUND_HALF_UP
def split(cents, parts) = Money.new(cents, "USD").allocate(parts).map(&:cents)
p split(100, [0.57, 0.43]), split(1000, [0.12, 0.88]), split(100, [57, 43])
p split(100, [BigDecimal("0.57"), BigDecimal("0.43")])
amounts = [100, 1000, 12345]
[100.0, 1].each do |unit|
  sums = (1..99).flat_map { |n| amounts.map { |cents| split(cents, [n / unit, (100 - n) / unit]).sum - cents } }
  puts "#{sums.count(0)} right, #{sums.count(-1)} a cent less, of #{sums.size}"
end
RUBY
include=(-I usr/lib/ruby/3.1.0 -I "$(echo usr/lib/*-linux-gnu/ruby/3.1.0)" -I usr/lib/ruby/vendor_ruby)
gems=usr/share/rubygems-integration/all/gems
for folder in "$gems"/*/lib "$gems"/*/lib/concurrent-ruby; do
  include+=(-I "$folder")
done
seen=$(usr/bin/ruby3.1 -W0 --disable-gems "${include[@]}" split.rb 2>&1 || true)
wanted='[56, 43]
[119, 880]
[57, 43]
[57, 43]
282 right, 15 a cent less, of 297
297 right, 0 a cent less, of 297'
[ "$seen" = "$wanted" ] || { printf 'The parts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: money splits a dollar by 0.57 and 0.43 into 56 and 43 cents"
