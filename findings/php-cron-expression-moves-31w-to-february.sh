#!/usr/bin/env bash
# cron-expression 3.3.1 for PHP (Debian 12: php-dragonmantank-cron-expression), which reads the cron lines of Laravel.
# Expected: as its documentation says, W is the weekday nearest the given day, and will not "jump" over the boundary of
# a month's days, so 31W is a day at the end of a month. The names of days are there, and SAT-SUN is both.
# Really: where a month has no such day, PHP's date of it is in the next one: the 31st of February 2027 is Wednesday, 3
# March, so 31W runs on Wednesday, 3 February. LW, which Quartz has for the last weekday, is taken as well, as 0W: in
# 2027, its days begin with Sunday, 31 January, and Monday, 1 February. SAT-SUN is Saturday only, as SUN is the day 0,
# while 6-7 is right. Nothing is refused. Days up to 28W are right.
# What follows: a payout of the last weekday of a month is also made on the first days of others. Write 28W, or L and
# ask for the weekday in the job, and days as numbers. deploy.md has only stars.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download php-dragonmantank-cron-expression=3.3.1-2 php-webmozart-assert php8.2-cli php8.2-common libargon2-1 \
  libpcre2-8-0 libsodium23 libxml2 libicu72 libedit2 libbsd0 libmd0 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH
cat >times.php <<'PHP'
<?php
date_default_timezone_set("UTC");
set_include_path(getcwd() . "/usr/share/php");
require "Cron/autoload.php";
foreach (["31W * *", "LW * *", "28W * *", "* * SAT-SUN", "* * 6-7"] as $days) {
    $cron = new Cron\CronExpression("0 9 $days");
    $times = [];
    for ($n = 0; $n < 6; $n++) {
        $times[] = $cron->getNextRunDate("2026-12-31 12:00:00", $n)->format("D j M");
    }
    echo "$days = " . implode(", ", $times) . "\n";
}
PHP
seen=$(usr/bin/php8.2 -n -d error_reporting=24575 times.php 2>&1)
wanted='31W * * = Fri 29 Jan, Wed 3 Feb, Wed 31 Mar, Fri 30 Apr, Mon 31 May, Tue 1 Jun
LW * * = Sun 31 Jan, Mon 1 Feb, Mon 1 Mar, Sun 30 May, Fri 30 Jul, Mon 2 Aug
28W * * = Thu 28 Jan, Fri 26 Feb, Mon 29 Mar, Wed 28 Apr, Fri 28 May, Mon 28 Jun
* * SAT-SUN = Sat 2 Jan, Sat 9 Jan, Sat 16 Jan, Sat 23 Jan, Sat 30 Jan, Sat 6 Feb
* * 6-7 = Sat 2 Jan, Sun 3 Jan, Sat 9 Jan, Sun 10 Jan, Sat 16 Jan, Sun 17 Jan'
[ "$seen" = "$wanted" ] || { printf 'The times were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: cron-expression runs 31W on 3 February, and SAT-SUN on Saturdays only"
