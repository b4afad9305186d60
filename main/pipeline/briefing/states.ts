import type { BranchState, TerminalState } from "../../domain/definition";

/** The weekly briefing's own stages (domain 3, main path). */
export type BriefingStage =
  | "created"
  | "collecting"
  | "drafting"
  | "checking"
  | "awaiting_content_approval"
  | "content_approved"
  | "publishing"
  | "published"
  | "awaiting_send_approval"
  | "sending"
  | "send_pending";

export type BriefingState = BriefingStage | BranchState | TerminalState;

export type BriefingEvent =
  | "CollectStarted"
  | "SourcesFrozen"
  | "CollectBlocked"
  | "DraftFrozen"
  | "DraftBlocked"
  | "CheckPassed"
  | "CheckBlocked"
  | "ArtifactChanged"
  | "RecollectChosen"
  | "ContentApproved"
  | "ContentRejected"
  | "ApprovalExpired"
  | "ApprovalRevoked"
  | "RevocationNoted"
  | "PublishStarted"
  | "Published"
  | "PublishBlocked"
  | "SendBlocked"
  | "SendReviewOpened"
  | "AudienceChanged"
  | "SendRejected"
  | "PageChanged"
  | "SendApproved"
  | "SendAccepted"
  | "DeliveryAccounted"
  | "ObservationTimedOut"
  | "AccountMismatch"
  | "DeadlineReached"
  | "RetryScheduled"
  | "RetryDue"
  | "Unblocked"
  | "CompensationStarted"
  | "Compensated"
  | "ClosedProtectively";
