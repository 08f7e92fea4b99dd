import { AuditToolsError, compareText, readErrorMessage } from '@audit-tools/shared/core'
