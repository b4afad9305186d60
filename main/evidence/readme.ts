import { APPROVAL_NAMESPACE, EVIDENCE_NAMESPACE } from "../domain/sshsig";
import { BAG } from "./bag-layout";

/** `README-VERIFY.txt`: what the folder is and how to check it without us, in both languages. */
export const verifyReadme = (facts: {
  label: string;
  identity: string;
  fingerprint: string;
}): string => `EVIDENCE: ${facts.label}

This folder is a BagIt bag (RFC 8493), signed with an SSH key. To check it you need neither the program that made
it nor a network. In this folder:

  bash ${BAG.script} ALLOWED_SIGNERS        everything at once, with stock tools; read it first if you like

or by hand:

  sha256sum -c ${BAG.tagManifest}
  sha256sum -c ${BAG.manifest}
  ssh-keygen -Y verify -f ALLOWED_SIGNERS -I '${facts.identity}' -n ${EVIDENCE_NAMESPACE} \\
    -s ${BAG.signature} < ${BAG.tagManifest}

ALLOWED_SIGNERS is a text file with one line per signer: NAME ssh-ed25519 KEY. It must have come to you another way
than with this bundle. Without it:

  ssh-keygen -Y check-novalidate -n ${EVIDENCE_NAMESPACE} -s ${BAG.signature} < ${BAG.tagManifest}

and compare the fingerprint that it prints with one you were told. This bundle says that it is
  ${facts.fingerprint}

If there is a file ${BAG.timestamp}, somebody else says when the signature was there (RFC 3161). With the
certificate of that server, from elsewhere than this bundle:

  openssl ts -verify -data ${BAG.signature} -in ${BAG.timestamp} -CAfile CA.pem

sha256sum does not notice a file that was added: compare the list of files with the manifests as well.
The journal, ${BAG.events}, is a chain: the SHA-256 of each line (without its line end) is the "prevHash"
of the next, and the last one's is Journal-Head-SHA256 in ${BAG.info}. The contents of an event lie under their
own SHA-256 in ${BAG.bodies}; where they were left out, the chain can still be checked.

Each approval is a statement with its own signature beside it, ${BAG.approvals}ID.statement.json.sig:

  ssh-keygen -Y verify -f ${BAG.approvalSigners} -I '${facts.identity}' -n ${APPROVAL_NAMESPACE} \\
    -s ${BAG.approvals}ID.statement.json.sig < ${BAG.approvals}ID.statement.json

The keys in ${BAG.approvalSigners} are those that the journal's SignerRegistered events name; compare their
fingerprints with one that you were told. A statement without a signature was given before the first of these events.

What is in it and what was left out, with the reason: ${BAG.files}. Addresses are never in it.
What it does not prove: ${BAG.report}, near the top. Begin reading there.

----------------------------------------------------------------------------------------------------------------

证据：${facts.label}

本文件夹是 BagIt 包（RFC 8493），并以 SSH 密钥签名。核验时既不需要生成它的程序，也不需要网络。在本文件夹中执行：

  bash ${BAG.script} ALLOWED_SIGNERS        用系统自带工具一次核验全部；可先阅读该脚本

也可手工逐条执行上面英文部分的命令。ALLOWED_SIGNERS 是文本文件，每行一个签名者：名称 ssh-ed25519 公钥。
它必须另行取得，不能来自本证据包。没有它时，请用 check-novalidate，并比对指纹；本证据包自称的指纹是
  ${facts.fingerprint}

若有文件 ${BAG.timestamp}，则由第三方说明该签名在何时已经存在（RFC 3161），用上面的 openssl 命令核验。
sha256sum 不会发现多出来的文件：请同时比对文件清单。日志 ${BAG.events} 是一条哈希链：每行（不含换行）的
SHA-256 等于下一行的 "prevHash"，最后一行的等于 ${BAG.info} 中的 Journal-Head-SHA256。
每次审批都是一份陈述，签名在其旁（ID.statement.json.sig），核验命令见上面英文部分；${BAG.approvalSigners} 中的密钥
即日志 SignerRegistered 事件所登记的密钥，请比对指纹。没有签名的陈述，是在首次登记密钥之前作出的。
包含与未包含的文件及原因见 ${BAG.files}；其中绝无地址。它不能证明什么，见 ${BAG.report} 开头，请从那里读起。
`;
