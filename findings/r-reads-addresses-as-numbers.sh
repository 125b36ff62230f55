#!/usr/bin/env bash
# R 4.2.2 (Debian r-base-core 4.2.2.20221110-2), read.csv and write.csv.
# Expected: a cell such as 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed is a text, since no number has 40 digits.
# Really: R reads hexadecimal numbers of any length. A column of addresses becomes doubles, and is written back as
# 5.17705355260208e+47: the address is lost. With one name such as alice.eth among them, the column stays text.
# What follows: such an address is refused as one that became a number, and cannot be repaired. Read the column with
# colClasses = c(address = "character").
set -euo pipefail

command -v Rscript >/dev/null || { echo "Rscript is missing: apt-get install r-base-core"; exit 1; }
program='
again <- function(text, ...) write.csv(read.csv(text = text, ...), row.names = FALSE, quote = FALSE)
list <- "address,amount\n0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,5"
again(list)
again(list, colClasses = c(address = "character"))
again(paste0(list, "\nalice.eth,1"))
'
seen=$(Rscript -e "$program" | tr '\n' ' ')
kept=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,5
wanted="address,amount 5.17705355260208e+47,5 address,amount $kept address,amount $kept alice.eth,1 "
[ "$seen" = "$wanted" ] || { printf 'R wrote\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: R reads a column of addresses as numbers and writes them back as such"
