import { Button } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNav } from "../stores/nav";

/** A fault of a screen's own code stays inside that screen: the frame, the clock and the way back remain. */
export class ScreenFault extends Component<{ children: ReactNode }, { detail: string | null }> {
  override state = { detail: null };

  static getDerivedStateFromError(error: unknown): { detail: string } {
    return { detail: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }

  override render(): ReactNode {
    const { detail } = this.state;
    if (detail === null) return this.props.children;
    return <Fault detail={detail} leave={() => this.setState({ detail: null })} />;
  }
}

function Fault({ detail, leave }: { detail: string; leave: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="screen" role="alert">
      <p>{t("notice.crashed")}</p>
      <pre className="mono small wrap">{detail}</pre>
      <div>
        <Button
          onClick={() => {
            useNav.setState({ place: { screen: "today" }, past: [], guard: null, held: null });
            leave();
          }}
        >
          {t("notice.reload")}
        </Button>
      </div>
    </div>
  );
}
