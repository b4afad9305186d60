import { APPROVAL_NAMESPACE, EVIDENCE_NAMESPACE } from "../domain/sshsig";
import { BAG } from "./bag-layout";

interface ReadmeFacts {
  label: string;
  identity: string;
  fingerprint: string;
}

/** The commands, the same in both languages: what differs is only what is said about them. */
const COMMANDS = {
  hashes: `  sha256sum -c ${BAG.tagManifest}
  sha256sum -c ${BAG.manifest}`,
  signature: ({
    identity,
  }: ReadmeFacts) => `  ssh-keygen -Y verify -f ALLOWED_SIGNERS -I '${identity}' -n ${EVIDENCE_NAMESPACE} \\
    -s ${BAG.signature} < ${BAG.tagManifest}`,
  unnamed: `  ssh-keygen -Y check-novalidate -n ${EVIDENCE_NAMESPACE} -s ${BAG.signature} < ${BAG.tagManifest}`,
  files: `  find . -type f | sed 's|^./||' | sort > /tmp/there
  { cut -c 67- ${BAG.manifest} ${BAG.tagManifest}; echo ${BAG.tagManifest}; echo ${BAG.signature}; } | sort > /tmp/listed
  diff /tmp/listed /tmp/there`,
  script: `  bash ${BAG.script} ALLOWED_SIGNERS`,
  timestamp: `  openssl ts -verify -data ${BAG.signature} -in ${BAG.timestamp} -CAfile CA.pem`,
  chain: `  sed -n 1p ${BAG.events} | tr -d '\\n' | sha256sum
  sed -n 2p ${BAG.events}
  tail -n 1 ${BAG.events} | tr -d '\\n' | sha256sum
  grep Journal-Head ${BAG.info}`,
  approval: `  ssh-keygen -Y find-principals -f ${BAG.approvalSigners} -s ${BAG.approvals}ID.statement.json.sig
  ssh-keygen -Y verify -f ${BAG.approvalSigners} -I NAME -n ${APPROVAL_NAMESPACE} \\
    -s ${BAG.approvals}ID.statement.json.sig < ${BAG.approvals}ID.statement.json`,
  event: `  sed -n 7p ${BAG.events}
  cat ${BAG.bodies}PAYLOADHASH.json`,
} as const;

const english = (facts: ReadmeFacts): string => `EVIDENCE: ${facts.label}

This folder is a BagIt bag (RFC 8493), signed with an SSH key. To check it you need neither the program that made
it nor a network. Type these in this folder.

1. By hand first. ${BAG.script} came with this folder, so it is part of what you are checking: whoever changed a file
could have changed it as well. What is listed, and that nothing listed was changed:

${COMMANDS.hashes}

Who signed it. ALLOWED_SIGNERS is a text file with one line per signer: NAME ssh-ed25519 KEY, and for a key of hardware
NAME sk-ssh-ed25519@openssh.com KEY. It must have come to you another way than with this folder:

${COMMANDS.signature(facts)}

Without such a file, compare the fingerprint that this prints with one you were told:

${COMMANDS.unnamed}

This bundle says that it is
  ${facts.fingerprint}

sha256sum does not notice a file that was added; an empty folder is no file, and nothing here looks for one. This prints
nothing, or ${BAG.timestamp}:

${COMMANDS.files}

2. Now ${BAG.script} is known to be the one that was signed. It does all of this once more, and what follows:

${COMMANDS.script}

3. The journal, ${BAG.events}, is a chain: the SHA-256 of each line (without its line end) is the "prevHash"
of the next, and the last one's is Journal-Head-SHA256:

${COMMANDS.chain}

4. Each approval is a statement with its own signature beside it, by whoever approved and not always by whoever signed
this folder. The first command prints the NAME for the second:

${COMMANDS.approval}

The keys in ${BAG.approvalSigners} are those that the journal's SignerRegistered events name; compare their
fingerprints with one that you were told. A statement without a signature was given before the first of these events.

5. If there is a file ${BAG.timestamp}, somebody else says when the signature was there (RFC 3161).
With the certificate of that server, from elsewhere than this folder:

${COMMANDS.timestamp}

What no command above looks at: whether the records (data/tasks, data/operations, data/incidents, data/recovery,
data/receipts, ${BAG.ledger}) say what the journal's events say. Whoever has the key could write one that does
not. What an event said lies under its "payloadHash"; look up the ones that matter to you, for event 7:

${COMMANDS.event}

The program that made this bundle holds all of these records against the events (imprimatur verify FILE.zip) and
names each that differs; where an event's contents are withheld it says that it could not look. What no event tells,
not even it can hold against one: which recipient met which outcome and when (events tell how many); an object's web
address, what a look asked for and saw of each object, and how often was looked; the words and limits of an undo or of an
item to see to; a try's waits, and a request's hashes beside that of its bytes; who held a lease, when an approval
ended; in ${BAG.files} titles, addresses and licences; in ${BAG.info} the label, the workspace and the dates.
${BAG.report}, ${BAG.script} and this text
it makes once more from the records, and says which of them is worded in another way than that version of it does.

What is in it and what was left out, with the reason: ${BAG.files}. Addresses are never in it.
What it does not prove: ${BAG.report}, near the top. Begin reading there.
`;

const chinese = (facts: ReadmeFacts): string => `证据：${facts.label}

本文件夹是 BagIt 包（RFC 8493），并以 SSH 密钥签名。核验时既不需要生成它的程序，也不需要网络。请在本文件夹中执行以下命令。

1. 请先手工核验。${BAG.script} 随本文件夹一起来，本身也是被核验的对象：改动文件的人同样可以改动它。
先看清单中列了什么、所列文件有没有被改动：

${COMMANDS.hashes}

再看是谁签的名。ALLOWED_SIGNERS 是文本文件，每行一个签名者：名称 ssh-ed25519 公钥；
硬件密钥为：名称 sk-ssh-ed25519@openssh.com 公钥。它必须另行取得，不能来自本文件夹：

${COMMANDS.signature(facts)}

没有这个文件时，请把下面命令显示的指纹与您另行得知的指纹比对：

${COMMANDS.unnamed}

本证据包自称的指纹是
  ${facts.fingerprint}

sha256sum 不会发现多出来的文件；空文件夹不是文件，这里没有任何一步会查它。下面的命令应当没有输出，或只有 ${BAG.timestamp}：

${COMMANDS.files}

2. 至此可知 ${BAG.script} 就是被签名的那一个。它把以上核验再做一遍，并做以下各项：

${COMMANDS.script}

3. 日志 ${BAG.events} 是一条哈希链：每行（不含换行）的 SHA-256 等于下一行的 "prevHash"，
最后一行的等于 Journal-Head-SHA256：

${COMMANDS.chain}

4. 每次审批都是一份陈述，签名在其旁；签名者是审批人，不一定是签署本文件夹的人。第一条命令显示第二条所需的 NAME：

${COMMANDS.approval}

${BAG.approvalSigners} 中的密钥即日志 SignerRegistered 事件所登记的密钥，请比对指纹。
没有签名的陈述，是在首次登记密钥之前作出的。

5. 若有文件 ${BAG.timestamp}，则由第三方说明该签名在何时已经存在（RFC 3161）。
该服务器的证书须另行取得：

${COMMANDS.timestamp}

以上命令都不看的：各项记录（data/tasks、data/operations、data/incidents、data/recovery、data/receipts、${BAG.ledger}）
所说的是否与日志事件一致。持有密钥的人可以写出不一致的记录。事件的内容以其 "payloadHash" 为文件名；
请查对与您有关的事件，例如第 7 个：

${COMMANDS.event}

生成本证据包的程序（imprimatur verify FILE.zip）会把所有这些记录与事件比对，并指出每一处不同；事件内容未包含时，
它会说明未能核验。事件没有说的，连它也无法比对：哪位收件人在何时得到哪种结果（事件只记人数）、对象的网址、查询的内容与次数
及其看到的每个对象、补偿或待办事项的文字与限度、每次尝试的等待、请求中除字节哈希以外的各哈希、租约由谁持有、
审批何时失效；以及 ${BAG.files} 中的标题、网址和许可，
${BAG.info} 中的名称、工作区和日期。
${BAG.report}、${BAG.script} 和本文由它依据记录重新生成一遍，并指出哪一个与该版本的写法不同。

包含与未包含的文件及原因见 ${BAG.files}；其中绝无地址。
它不能证明什么，见 ${BAG.report} 开头，请从那里读起。
`;

/** `README-VERIFY.txt`: what the folder is and how to check it without us, in both languages. */
export const verifyReadme = (facts: ReadmeFacts): string =>
  `${english(facts)}\n${"-".repeat(112)}\n\n${chinese(facts)}`;
