import type { ProviderGrammar } from '../grammar.ts'

/** The usual notices in other languages than English, as localised CLIs and regional providers print them. */
export const localised: ProviderGrammar = {
  names: ['localised'],
  rules: [
    {
      text: /^(?:error:? ?)?余额不足/im,
      kind: 'credit',
    },
    {
      text: /余额不足|餘額不足|欠费|残高不足|クレジットが不足|잔액이? ?부족|saldo insuficiente|solde insuffisant|guthaben (?:reicht nicht|aufgebraucht)/iu,
      needsApi: true,
      kind: 'credit',
    },
    {
      text: /每日(?:的)?(?:使用)?(?:上限|限额|配额)|1日の(?:利用)?上限|일일 (?:사용 )?한도|límite diario|limite quotidienne|tageslimit/iu,
      kind: 'day',
    },
    {
      text: /使用上限|用量上限|使用额度已|利用上限|使用制限に達|사용 한도|límite de uso|limite d'utilisation|limite de uso|nutzungslimit/iu,
      kind: 'window',
    },
    {
      text: /过载|過載|访问量过大|服务器?繁忙|服务暂时不可用|混み合って|過負荷|과부하|sobrecargad|surchargé|überlastet/iu,
      kind: 'overload',
    },
    {
      text: /请求过于频繁|请求次数超过|频率限制|速率限制|限流|レート制限|リクエストが多すぎ|요청이 너무 많|속도 제한|demasiadas solicitudes|trop de requêtes|zu viele anfragen|muitas solicitações/iu,
      kind: 'throttle',
    },
  ],
}
