import {
  Button,
  Checkbox,
  type CSSVariablesResolver,
  createTheme,
  NumberInput,
  Switch,
  Tabs,
  Textarea,
  TextInput,
  Tooltip,
} from "@mantine/core";

/** Mantine's behaviour with our tokens: its colours are pointed at the variables of `styles/tokens.css`, so that there is one palette. */
export const theme = createTheme({
  colors: {
    ink: ["#eef3fa", "#dbe6f5", "#b6cdec", "#93bcf4", "#93bcf4", "#5b8fd6", "#3569b3", "#1d4f91", "#17427a", "#113463"],
  },
  primaryColor: "ink",
  // The very accents of `styles/tokens.css`; the text on them is `--on-accent`, set in `styles/parts.css`.
  primaryShade: { light: 7, dark: 4 },
  fontFamily: "var(--font-ui)",
  fontFamilyMonospace: "var(--font-mono)",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "19px" },
  defaultRadius: "4px",
  cursorType: "pointer",
  respectReducedMotion: true,
  focusRing: "auto",
  components: {
    Button: Button.extend({ defaultProps: { size: "xs", variant: "default" } }),
    Checkbox: Checkbox.extend({ defaultProps: { size: "xs" } }),
    Switch: Switch.extend({ defaultProps: { size: "xs" } }),
    TextInput: TextInput.extend({ defaultProps: { size: "xs" } }),
    Textarea: Textarea.extend({ defaultProps: { size: "xs", autosize: true, minRows: 2 } }),
    NumberInput: NumberInput.extend({ defaultProps: { size: "xs" } }),
    Tabs: Tabs.extend({ defaultProps: { variant: "default" } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 400 } }),
  },
});

const colours = {
  "--mantine-color-body": "var(--paper)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--muted)",
  "--mantine-color-placeholder": "var(--muted)",
  "--mantine-color-default": "var(--surface)",
  "--mantine-color-default-hover": "var(--sunken)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--line-strong)",
  "--mantine-color-disabled": "var(--sunken)",
  "--mantine-color-disabled-color": "var(--muted)",
  "--mantine-color-disabled-border": "var(--line)",
  "--mantine-color-error": "var(--bad)",
};

export const pointColours: CSSVariablesResolver = () => ({ variables: {}, light: colours, dark: colours });
