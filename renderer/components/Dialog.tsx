import { Modal } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  opened: boolean;
  title: string;
  onClose: () => void;
  size?: "md" | "lg";
  /** At the top instead of the middle: for what grows while it is used. */
  high?: boolean;
  /** False while closing by Escape or a click beside it would lose what was typed. */
  easyToLeave?: boolean;
  children: ReactNode;
}

/**
 * A dialog with a title and nothing else of its own. Mantine's ready-made one puts the title into a `header`, which readers
 * take for a second banner of the page. The focus goes to whatever carries `data-autofocus`, and back when it closes.
 */
export function Dialog({ opened, title, onClose, size = "lg", high = false, easyToLeave = true, children }: Props) {
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={size}
      centered={!high}
      yOffset={high ? "10vh" : undefined}
      closeOnEscape={easyToLeave}
      closeOnClickOutside={easyToLeave}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content>
        <Modal.Body>
          <Modal.Title className="dialog-title">{title}</Modal.Title>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
