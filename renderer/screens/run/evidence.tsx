import { useTranslation } from "react-i18next";
import { HashChip } from "../../components/HashChip";
import { Moment } from "../../components/Moments";
import { Empty } from "../../components/Panel";
import { formatBytes } from "../../format";
import type { RunView } from "../../stores/run";
import { wordFor, wordOrText } from "../../words";
import { ApprovalBox } from "../approval-box";

/** Approvals and frozen bytes: what a promise of this app rests on. */
export function Evidence({ run }: { run: RunView }) {
  const { t } = useTranslation();
  return (
    <div className="side-scroll">
      <h3 className="sub">{t("run.artifacts.approvals")}</h3>
      {run.approvals.length === 0 ? <Empty>{t("run.artifacts.noApprovals")}</Empty> : null}
      {run.approvals.map((approval) => (
        <div key={approval.id} className="approval-row stack tight">
          <b>{wordFor("scope", approval.scope)}</b>
          <ApprovalBox taskId={run.taskId} state={run.state} approval={approval} />
        </div>
      ))}
      <h3 className="sub">{t("run.artifacts.title")}</h3>
      {run.artifacts.length === 0 ? <Empty>{t("run.artifacts.empty")}</Empty> : null}
      <table className="table">
        <tbody>
          {run.artifacts.map((artifact) => (
            <tr key={`${artifact.hash}-${artifact.kind}`}>
              <td>{wordOrText("artifact", artifact.kind)}</td>
              <td>
                <HashChip hash={artifact.hash} of="artifact" bare />
              </td>
              <td className="number">{formatBytes(artifact.bytes)}</td>
              <td className="muted">
                <Moment at={artifact.at} shape="time" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
