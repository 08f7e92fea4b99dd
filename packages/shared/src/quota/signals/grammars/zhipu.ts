import type { ProviderGrammar } from '../grammar.ts'

/** Zhipu and Z.ai (docs.z.ai error codes); their times are of Beijing. */
export const zhipu: ProviderGrammar = {
  names: ['zhipu', 'zai', 'z-ai', 'glm', 'bigmodel'],
  onlyIf: /\[1[123]\d\d\]|使用上限|\busage limit reached for \d|\bz\.ai\b|\bbigmodel\b/i,
  timeZone: 'Asia/Shanghai',
  rules: [
    { code: /^(?:1308|1310|1316)$/, kind: 'window' },
    { text: /\[(?:1308|1310)\]|使用上限|\busage limit reached for\b/i, kind: 'window' },
    { code: /^1304$/, kind: 'day' },
    { code: /^(?:1113|1309|1311)$/, kind: 'credit' },
    { code: /^(?:1000|1001|1002|1003|1004|1110|1112|1121)$/, kind: 'auth' },
    { code: /^(?:1211|1212)$/, kind: 'model_gone' },
    { code: /^1261$/, kind: 'too_large' },
    { code: /^1301$/, kind: 'refused' },
    { code: /^(?:1302|1303)$/, kind: 'throttle' },
    { code: /^(?:1305|1312)$/, kind: 'overload' },
  ],
}
