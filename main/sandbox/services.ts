import { isAuthorized, write } from "./cms";
import type { Context } from "./context";
import { type Exchange, refuse, sendAnswer } from "./exchange";
import { performRead } from "./perform-read";
import { performWrite } from "./perform-write";
import {
  findMember,
  memberStatusSchema,
  messageSchema,
  type Show,
  showMember,
  showVouchers,
  voucherStatusSchema,
} from "./services-execute";
import { membershipAt } from "./services-state";
import type { Store } from "./store";

/** Answers everything below `/services`. */
export async function handleServices(context: Context, exchange: Exchange): Promise<void> {
  const { method, rest } = exchange;
  const [collection, memberId, part, tooDeep] = rest;
  if (tooDeep !== undefined) return sendAnswer(exchange, refuse(404, "no_such_path"));
  if (collection === "messages" && memberId === undefined && method === "POST")
    return write(context, exchange, "message.send", messageSchema, (input, requestHash) =>
      performWrite(context, exchange, { on: "message.send", input, requestHash }),
    );
  if (collection !== "members" || memberId === undefined) return sendAnswer(exchange, refuse(404, "no_such_path"));
  switch (`${method} ${part ?? "status"}`) {
    case "POST status":
      return write(context, exchange, "member.status", memberStatusSchema, (input, requestHash) =>
        performWrite(context, exchange, { on: "member.status", memberId, input, requestHash }),
      );
    case "POST vouchers":
      return write(context, exchange, "voucher.status", voucherStatusSchema, (input, requestHash) =>
        performWrite(context, exchange, { on: "voucher.status", memberId, input, requestHash }),
      );
    case "GET status":
      return query(context, exchange, memberId, showMember);
    case "GET vouchers":
      return query(context, exchange, memberId, showVouchers);
    default:
      return sendAnswer(exchange, refuse(405, "method_not_allowed"));
  }
}

async function query(context: Context, exchange: Exchange, memberId: string, show: Show): Promise<void> {
  const { store } = context;
  store.append({ type: "call", counter: "service.query", at: exchange.at });
  if (!isAuthorized(context, exchange)) return sendAnswer(exchange, refuse(401, "unauthorized"));
  const until = store.horizon(exchange.at) - store.state.config.visibilityDelayMs;
  return performRead(context, exchange, { on: "service.query" }, () => {
    const member = findMember(store, memberId);
    return member === undefined
      ? refuse(404, "not_found")
      : { status: 200, body: show(member, membershipAt(member, until)) };
  });
}

/** Everything the services know, for tests and for people. Nothing lags here. */
export function showServices(store: Store): Record<string, unknown> {
  const { calls, services } = store.state;
  return {
    statusCalls: calls["member.status"],
    voucherCalls: calls["voucher.status"],
    messageCalls: calls["message.send"],
    members: services.members.map((member) => {
      const { status, vouchers } = membershipAt(member, Number.MAX_SAFE_INTEGER);
      return { id: member.id, status, vouchers };
    }),
    messages: services.messages,
  };
}
