import { Button } from "@mantine/core";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { type Place, useNav } from "../stores/nav";

/** From one thing to the list that it stands in. */
export function BackButton({ to, children }: { to: Place; children: ReactNode }) {
  const go = useNav((state) => state.go);
  return (
    <Button size="compact-sm" leftSection={<ArrowLeft size={14} aria-hidden />} onClick={() => go(to)}>
      {children}
    </Button>
  );
}
