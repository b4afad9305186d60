import type { Scenario, ScenarioGroup } from "./stage";
import { toTheEnd } from "./ways";

const staleCache: Scenario = {
  id: "S29",
  group: 8,
  title: { "zh-CN": "缓存两次给出旧页面", en: "A stale cache, twice" },
  given: { "zh-CN": "文章已发布，检查公开页面。", en: "The article is published and the public page is read." },
  fault: { "zh-CN": "前两次读到的是缓存。", en: "The first two reads come from a cache." },
  expected: {
    "zh-CN": "再读两次，直到公开页面相符；之后才允许群发。",
    en: "It reads again until the public page matches; only then may the mailing go.",
  },
  config: { staleProbes: 2 },
  play: toTheEnd,
};

const wrongText: Scenario = {
  id: "S30",
  group: 8,
  title: { "zh-CN": "页面内容哈希不符", en: "Wrong hash" },
  given: { "zh-CN": "文章已发布，检查公开页面。", en: "The article is published and the public page is read." },
  fault: { "zh-CN": "插件改了正文。", en: "A plugin changes the text." },
  expected: {
    "zh-CN": "页面不符就停下，不发邮件；插件关掉后再次证实页面，再继续。",
    en: "The differing page blocks the edition and no mail is sent; with the plugin off the page is proved and it goes on.",
  },
  faults: [{ on: "site.read", fault: "wrong-body", times: 20 }],
  play: async (stage) => {
    await stage.workTo("succeeded");
    await stage.show("page differs");
    stage.operator.unblock("publishing", "the plugin is switched off");
    await stage.workTo("succeeded");
  },
};

const missingLink: Scenario = {
  id: "S31",
  group: 8,
  title: { "zh-CN": "页面少了一个链接", en: "A link missing" },
  given: { "zh-CN": "文章已发布，检查公开页面。", en: "The article is published and the public page is read." },
  fault: { "zh-CN": "清理程序去掉了最后一个链接。", en: "A sanitiser takes the last link away." },
  expected: {
    "zh-CN": "缺一个链接的页面不算证实；这一期停下，不发邮件。",
    en: "A page without the link is not proved; the edition is blocked and no mail is sent.",
  },
  faults: [{ on: "site.read", fault: "missing-link", times: 20 }],
  play: toTheEnd,
};

const neverVisible: Scenario = {
  id: "S32",
  group: 8,
  title: { "zh-CN": "到自动停止时仍不可见", en: "Never visible before the automatic stop" },
  given: { "zh-CN": "文章已发布，检查公开页面。", en: "The article is published and the public page is read." },
  fault: { "zh-CN": "页面一直是 404，已近 10:20。", en: "The page stays a 404, and it is nearly 10:20." },
  expected: {
    "zh-CN": "10:20 自动停止：看不到的页面不算已发布，不发邮件。",
    en: "At 10:20 it stops by itself: a page nobody can see is not published, and no mail is sent.",
  },
  beginsAt: { local: "10:10" },
  config: { staleProbes: 1_000 },
  play: toTheEnd,
};

export const publicPage: ScenarioGroup = {
  number: 8,
  title: { "zh-CN": "公开页面", en: "Public page" },
  scenarios: [staleCache, wrongText, missingLink, neverVisible],
};
