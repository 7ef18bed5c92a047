/** The audit log: who did what, and who was refused. {@link io.holdfast.access.audit.AuditLog} is the entry point. */
package io.holdfast.access.audit;
