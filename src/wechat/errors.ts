/** What a caller can do about an error: the same for every code of a class. */
type ErrorClass = "token" | "config" | "ip" | "human" | "input" | "limit" | "ambiguous" | "other";

interface ErrorRow {
  readonly errmsg: string;
  readonly class: ErrorClass;
}

const row = (errorClass: ErrorClass, errmsg: string): ErrorRow => ({ errmsg, class: errorClass });

/** Codes of the platform with its own spelling of their messages, mistakes included. */
export const WECHAT_ERRORS: Readonly<Record<number, ErrorRow>> = {
  [-1]: row("ambiguous", "system error"),
  40001: row(
    "token",
    "invalid credential, access_token is invalid or not latest, could get access_token by " +
      "getStableAccessToken, more details at https://mmbizurl.cn/s/JtxxFh33r",
  ),
  40002: row("config", "invalid grant_type"),
  40004: row("input", "invalid media type"),
  40005: row("input", "invalid file type"),
  40006: row("input", "invalid meida size"),
  40007: row("input", "invalid media_id"),
  40009: row("input", "invalid image size"),
  40013: row("config", "invalid appid"),
  40014: row("token", "invalid access_token"),
  40033: row(
    "input",
    "invalid charset. please check your request, if include \\uxxxx will create fail!",
  ),
  40035: row("input", "invalid parameter"),
  40066: row("config", "invalid url"),
  40097: row("input", "invalid args"),
  40113: row("input", "unsupported file type"),
  40114: row("input", "invalid index value"),
  40125: row("config", "invalid appsecret"),
  40137: row("input", "invalid image format"),
  40164: row("ip", "invalid ip, not in whitelist"),
  40243: row("config", "AppSecret已被冻结，请解冻后再次调用"),
  41001: row("config", "access_token missing"),
  41002: row("config", "appid missing"),
  41004: row("config", "appsecret missing"),
  41005: row("input", "media data missing"),
  41006: row("input", "media_id missing"),
  41039: row("input", "invalid content_source_url"),
  42001: row("token", "access_token expired"),
  43001: row("config", "require GET method"),
  43002: row("config", "require POST method"),
  44002: row("input", "empty post data"),
  44003: row("input", "empty news data"),
  45001: row("input", "media size out of limit"),
  45002: row("input", "content size out of limit"),
  45003: row("input", "title size out of limit"),
  45004: row("input", "description size out of limit"),
  45005: row("input", "url size out of limit"),
  45006: row("input", "picurl size out of limit"),
  45008: row("input", "article size out of limit"),
  45009: row("limit", "reach max api daily quota limit"),
  45011: row("limit", "api minute-quota reach limit mustslower retry next minute"),
  45106: row("config", "This API has been unsupported"),
  45110: row("input", "author size out of limit"),
  45166: row("input", "invalid content"),
  47001: row("input", "data format error"),
  48001: row("config", "api unauthorized"),
  48004: row("config", "api forbidden for irregularities"),
  48005: row("other", "api forbidden: the material is used by others"),
  48006: row("limit", "forbid to clear quota because of reaching the limit"),
  50002: row("config", "user limited"),
  50004: row("config", "forbidden to use the token api"),
  50007: row("config", "the account is frozen"),
  53404: row("input", "账号已被限制带货能力，请删除商品后重试"),
  53405: row("input", "插入商品信息有误，请检查参数及商品状态"),
  53406: row("input", "请先开通带货能力"),
  53503: row("other", "该草稿未通过发布检查"),
  53504: row("other", "需前往公众平台官网使用草稿"),
  53505: row("other", "请手动保存成功后再发表"),
  53600: row("input", "Article ID 无效"),
  61003: row("config", "component is not authorized by this account"),
  61004: row("ip", "access clientip is not registered"),
  61005: row("config", "component ticket is expired"),
  61006: row("config", "component ticket is invalid"),
  61007: row("config", "api is unauthorized to component"),
  61011: row("config", "invalid component"),
  61023: row("config", "refresh_token is invalid"),
  76001: row("input", "rid not found"),
  76002: row("input", "rid is error"),
  76003: row("input", "could not query this rid,no permission"),
  76004: row("input", "rid time is error"),
  76021: row("input", "cgi_path not found"),
  76022: row("input", "could not use this cgi_path,no permission"),
  88000: row("input", "without comment privilege"),
  89503: row("human", "this ip call api need admin confirmation"),
  89506: row("human", "this ip was refused by the admin, call again after 24 hours"),
  89507: row("human", "this ip was refused by the admin, call again after 1 hour"),
  10170001: row("input", "不合法的商品ID"),
  10170002: row("input", "不支持的文章类型"),
  10170003: row("input", "不支持的卡片类型"),
};

/** What kind of error a code is. One that is not known says nothing about what has happened. */
export function errorClass(errcode: number): ErrorClass {
  return WECHAT_ERRORS[errcode]?.class ?? "other";
}
