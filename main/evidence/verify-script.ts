import { GENESIS } from "../domain/hashing";
import { APPROVAL_NAMESPACE, EVIDENCE_NAMESPACE } from "../domain/sshsig";
import { BAG, TAG_FILES } from "./bag-layout";

/**
 * `verify.sh`: checks an unpacked bag with what every Unix has and `ssh-keygen`. It is part of what it checks, so whoever does
 * not trust it reads it, or types the commands of README-VERIFY.txt by hand.
 */
export const VERIFY_SCRIPT = `#!/usr/bin/env bash
# Checks this folder with stock tools only: sha256sum (or shasum), ssh-keygen, awk, sed, find, sort, cmp.
#   bash ${BAG.script} [ALLOWED_SIGNERS [NAME]]
# ALLOWED_SIGNERS is a file that you have from elsewhere than this bundle; without it nothing is known of whose key it is.
set -u
export LC_ALL=C
signers=\${1:-}
[ -z "$signers" ] || [ -f "$signers" ] || { echo "$signers: there is no such file of allowed signers"; exit 2; }
[ -n "$signers" ] && signers=$(cd "$(dirname "$signers")" && pwd)/$(basename "$signers")
cd "$(dirname "$0")" || exit 2
bad=0
say() { if [ "$1" = 0 ]; then echo "ok    $2"; else echo "WRONG $2"; bad=1; fi; }
if command -v sha256sum >/dev/null; then sum=sha256sum; else sum="shasum -a 256"; fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# A hardware key's signature says in its fifth byte from the end whether somebody touched the key; ssh-keygen does not ask.
touched() {
  sed '1d;$d' "$1" | { base64 -d 2>/dev/null || base64 -D; } >"$work/blob"
  grep -aq 'sk-ssh-ed25519@openssh.com' "$work/blob" || return 0
  [ $(($(tail -c 5 "$work/blob" | od -An -tu1 -N1) % 2)) = 1 ]; say $? "somebody touched the hardware key: $1"
}
label() { sed -n "s/^$1: //p" ${BAG.info} | head -n 1; }

[ -z "$(find . ! -type f ! -type d)" ]; say $? "there are files and folders only, no links"

$sum -c ${BAG.tagManifest} >"$work/out" 2>&1; say $? "${BAG.tagManifest}: every tag file is unchanged"
sed -n 's/^\\(.*\\): FAILED.*/      changed or missing: \\1/p' "$work/out" | head -n 7
for file in ${TAG_FILES.join(" ")}; do grep -q "  $file\\$" ${BAG.tagManifest} || { say 1 "$file is not listed"; }; done
$sum -c ${BAG.manifest} >"$work/out" 2>&1; say $? "${BAG.manifest}: every payload file is unchanged"
sed -n 's/^\\(.*\\): FAILED.*/      changed or missing: \\1/p' "$work/out" | head -n 7

{ cut -c 67- ${BAG.manifest}; cut -c 67- ${BAG.tagManifest}; echo ${BAG.tagManifest}; echo ${BAG.signature}; [ ! -e ${BAG.timestamp} ] || echo ${BAG.timestamp}; } | sort >"$work/listed"
find . -type f | sed 's|^\\./||' | sort >"$work/there"
cmp -s "$work/listed" "$work/there"; say $? "the files are the listed ones, none more, none less"
diff "$work/listed" "$work/there" | sed -n 's/^< /      missing: /p; s/^> /      not listed: /p' | head -n 5
bytes=$(find data -type f -exec cat {} + | wc -c | tr -d ' ')
[ "$(label Payload-Oxum)" = "$bytes.$(find data -type f | wc -l | tr -d ' ')" ]; say $? "Payload-Oxum counts them rightly"

# The journal: the hash of each line is the prevHash of the next.
mkdir "$work/lines"
awk -v dir="$work/lines" '{ file = sprintf("%s/%09d", dir, NR); printf "%s", $0 > file; close(file) }' ${BAG.events}
find "$work/lines" -type f | sort | xargs $sum 2>/dev/null | cut -c 1-64 >"$work/sums"
sed -n 's/.*"prevHash":"\\([0-9a-f]*\\)".*/\\1/p' ${BAG.events} >"$work/prev"
{ echo ${GENESIS}; sed '$d' "$work/sums"; } | cmp -s - "$work/prev"; say $? "the journal's chain has no break"
[ "$(wc -l <${BAG.events} | tr -d ' ')" = "$(label Journal-Events)" ] && [ "$(tail -n 1 "$work/sums")" = "$(label Journal-Head-SHA256)" ]
say $? "the journal ends where ${BAG.info} says: $(label Journal-Events) events, head $(label Journal-Head-SHA256)"
sed -n 's|^\\([0-9a-f]*\\)  ${BAG.bodies}\\(.*\\)\\.json$|\\1 \\2|p' ${BAG.manifest} | sort >"$work/bodies"
awk '$1 != $2' "$work/bodies" | cmp -s - /dev/null; say $? "every event's contents have the hash they are named by"
sed -n 's/.*"payloadHash":"\\([0-9a-f]*\\)".*/\\1/p' ${BAG.events} | sort -u >"$work/named"
cut -d ' ' -f 1 "$work/bodies" | comm -23 - "$work/named" | cmp -s - /dev/null; say $? "every event's contents belong to an event"

# Approvals: each statement's signature, with the keys that the journal's own events registered.
sed -n 's/.*"payloadHash":"\\([0-9a-f]*\\)".*"type":"SignerRegistered".*/\\1/p' ${BAG.events} >"$work/registered"
while read -r hash; do [ -e "${BAG.bodies}$hash.json" ] || echo "$hash"; done <"$work/registered" >"$work/withheld"
while read -r hash; do sed -n 's/.*"publicKey":"\\([^"]*\\)".*/\\1/p' "${BAG.bodies}$hash.json"; echo; done <"$work/registered" 2>/dev/null | grep . >"$work/keys"
if [ -s "$work/withheld" ]; then
  echo "note  the keys of approvals were NOT checked: the contents of an event that registered one are withheld"
else
  sed 's/.* //' ${BAG.approvalSigners} 2>/dev/null | cmp -s - "$work/keys"; say $? "the keys of approvals are those that the journal registered"
fi
unsigned=0
for statement in ${BAG.approvals}*.statement.json; do
  [ -e "$statement" ] || continue
  if [ ! -e "$statement.sig" ]; then
    unsigned=$((unsigned + 1))
    grep -q '"signature":null' "\${statement%.statement.json}.json"; say $? "not signed, as its record says too: $statement"
    continue
  fi
  who=$(ssh-keygen -Y find-principals -f ${BAG.approvalSigners} -s "$statement.sig" 2>/dev/null | head -n 1)
  ssh-keygen -Y verify -f ${BAG.approvalSigners} -I "$who" -n ${APPROVAL_NAMESPACE} -s "$statement.sig" <"$statement" >"$work/out" 2>&1
  say $? "signed by $who: $statement"
  touched "$statement.sig"
done
[ "$unsigned" = 0 ] || echo "note  $unsigned approvals are not signed: no signing key was registered when they were given, says the report"

touched ${BAG.signature}
identity=\${2:-$(label Signer-Identity)}
if [ -n "$signers" ]; then
  ssh-keygen -Y verify -f "$signers" -I "$identity" -n ${EVIDENCE_NAMESPACE} -s ${BAG.signature} <${BAG.tagManifest} >"$work/signed"
  say $? "signed by $identity"
else
  ssh-keygen -Y check-novalidate -n ${EVIDENCE_NAMESPACE} -s ${BAG.signature} <${BAG.tagManifest} >"$work/signed"
  say $? "the signature belongs to these bytes"
  echo "note  whose key it is was NOT checked: compare the fingerprint, or give a file of allowed signers"
fi
cat "$work/signed"
[ -n "$(label Signer-Fingerprint)" ] && grep -qF " $(label Signer-Fingerprint)" "$work/signed"; say $? "signed with the key that ${BAG.info} names: $(label Signer-Fingerprint)"
[ ! -e ${BAG.timestamp} ] || echo "note  the time stamp was NOT checked: openssl ts -verify -data ${BAG.signature} -in ${BAG.timestamp} -CAfile CA.pem"
echo "note  whether the records say what the journal's events say was NOT looked at; ${BAG.readme} says how"
if [ "$bad" = 0 ]; then echo "VALID"; else echo "NOT VALID"; fi
exit "$bad"
`;
