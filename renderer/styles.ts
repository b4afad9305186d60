// Every style sheet, in the order in which the later ones win: for the window, and for whoever shows its screens elsewhere.
import "@mantine/core/styles.layer.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/shell.css";
import "./styles/screens.css";
import "./styles/review.css";
import "./styles/run.css";
import "./styles/drills.css";
import "./styles/compensation.css";
import "./styles/incident.css";
import "./styles/recovery.css";
import "./styles/alerts.css";
import "./styles/health.css";
import "./styles/audit.css";
import "./styles/ledger.css";
import "./styles/settings.css";
