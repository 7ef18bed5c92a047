/** Authentication: bearer tokens by the keys of their issuer, static tokens, client certificates. */
package io.holdfast.access.token;
