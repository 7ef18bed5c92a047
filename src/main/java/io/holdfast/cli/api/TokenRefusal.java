package io.holdfast.cli.api;

import io.holdfast.cli.token.JwtTimes;
import io.holdfast.cli.token.Token;
import io.holdfast.cli.token.TokenSource;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of the token that the service has refused, or of its absence.
 *
 * @param advice sentences for the user
 * @param isTemporary whether another token may come soon: the service has accepted an earlier one of this command
 */
public record TokenRefusal(String advice, boolean isTemporary) {
    /** @param serverTime by which the service has judged the token, if it is known */
    static TokenRefusal of(
            TokenSource tokens, AuthorizedCall.Answer<?> answer, Optional<Instant> serverTime, boolean accepted) {
        var state = answer.token()
                .map(token -> "The token is that of %s%s.".formatted(tokens.name(), validity(token, serverTime)))
                .orElse("Set %s, %s or %s."
                        .formatted(TokenSource.VARIABLE, TokenSource.FILE_VARIABLE, TokenSource.COMMAND_VARIABLE));
        var why = answer.notRenewed().map(sentence -> " " + sentence).orElse("");
        return new TokenRefusal(state + why, accepted && tokens.isRenewable());
    }

    private static String validity(Token token, Optional<Instant> serverTime) {
        var times = token.times();
        if (times.isEmpty() || serverTime.isEmpty()) {
            return "";
        }
        if (times.get().isExpired(serverTime.get())) {
            return "; it expired at " + times.flatMap(JwtTimes::expiresAt).orElseThrow();
        }
        return times.get().isNotYetValid(serverTime.get())
                ? "; it is not valid before "
                        + times.flatMap(JwtTimes::notBefore).orElseThrow()
                : "";
    }
}
