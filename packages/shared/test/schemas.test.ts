import { expect, test } from 'vitest'
import { z } from 'zod'

import { renderConfigSchema } from '@audit-tools/shared/config'
import { formatStableJson } from '@audit-tools/shared/core'
import { AuditFindingsReportSchema, RemediationOutcomesSchema } from '@audit-tools/shared/findings'
import { StepSchema } from '@audit-tools/shared/steps'

const folder = '../../../docs/reference/schemas'

/** `npx vitest run -u` writes them again after a change of a schema. */
test.each([
  ['session-config', renderConfigSchema()],
  ['audit-findings', z.toJSONSchema(AuditFindingsReportSchema)],
  ['remediation-outcomes', z.toJSONSchema(RemediationOutcomesSchema)],
  ['step', z.toJSONSchema(StepSchema)],
])('the published JSON Schema of %s is the one that checks', async (name, schema) => {
  await expect(formatStableJson(schema)).toMatchFileSnapshot(`${folder}/${name}.schema.json`)
})
