#!/usr/bin/env bash
# R 4.2.2 (Debian r-base-core 4.2.2.20221110-2), write.csv.
# Expected: a column of whole numbers is written alike in every row.
# Really: each cell is written in the shorter of two forms, so that of the IDs 99999, 100000 and 100001 only the second
# becomes 1e+05. A column is a double as soon as one of its values was read or computed as one.
# What follows: amounts such as 1e+05 are read exactly when the user accepts it (--fix exponent). A reference is a text:
# 1e+05 and 100000 are two rewards, each of which can be paid, so docs/pay-many.md says to keep references as text.
set -euo pipefail

command -v Rscript >/dev/null || { echo "Rscript is missing: apt-get install r-base-core"; exit 1; }
seen=$(Rscript -e 'write.csv(data.frame(id = c(99999, 100000, 100001)), row.names = FALSE)' | tr '\n' ' ')
wanted='"id" 99999 1e+05 100001 '
[ "$seen" = "$wanted" ] || { echo "R wrote $seen instead of $wanted"; exit 1; }
echo "ok: R writes the ID 100000 as 1e+05, and its neighbours in full"
