package io.holdfast.access;

import static io.holdfast.access.AccessStage.KID;
import static io.holdfast.access.AccessStage.NOW;
import static io.holdfast.access.AccessStage.claims;
import static io.holdfast.access.AccessStage.token;
import static io.holdfast.access.TestKeys.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.access.model.AuthOutcome.Authenticated;
import io.holdfast.access.model.AuthOutcome.Refused;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every token that is not exactly right is refused with a sentence, and none ends in an exception. */
class HostileTokensTest {
    private static final String RS256 = "{\"alg\":\"RS256\",\"kid\":\"" + KID + "\"}";

    @TempDir
    private static Path folder;

    private static AccessStage stage;

    @BeforeAll
    static void start() {
        stage = new AccessStage(folder, Map.of("jwks-timeout", "60s"));
        stage.access.load();
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    static Stream<Arguments> tokens() {
        return Stream.of(algorithms(), keys(), forms(), claimSets(), times()).flatMap(rows -> rows);
    }

    private static Stream<Arguments> algorithms() {
        var rsa = TestKeys.RSA.getPrivate();
        var modulus = TestKeys.RSA.getPublic().getEncoded();
        var valid = token();
        var content = valid.substring(0, valid.lastIndexOf('.'));
        return Stream.of(
                row("none", unsigned("{\"alg\":\"none\",\"kid\":\"key-1\"}", "")),
                row("none, with a signature", unsigned("{\"alg\":\"none\",\"kid\":\"key-1\"}", "AAAA")),
                row("NONE", unsigned("{\"alg\":\"NONE\"}", "AAAA")),
                row("nOnE", unsigned("{\"alg\":\"nOnE\"}", "AAAA")),
                row("no signature", content + "."),
                row("HMAC with the public key", hmac("HS256", KID, modulus)),
                row("HMAC with the public key in PEM", hmac("HS256", KID, pem(modulus))),
                row("HMAC with the empty key id", hmac("HS256", "", new byte[] {0})),
                row(
                        "HMAC with the symmetric key of the set",
                        hmac(
                                "HS256",
                                "secret",
                                Base64.getDecoder().decode("c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ"))),
                row("HS512", hmac("HS512", KID, modulus)),
                row("RS256 signed as RS512", sign(RS256, "RS512", rsa)),
                row("RS512 signed as RS256", sign("{\"alg\":\"RS512\",\"kid\":\"key-1\"}", "RS256", rsa)),
                row("PS256 signed as RS256", sign("{\"alg\":\"PS256\",\"kid\":\"key-1\"}", "RS256", rsa)),
                row("RS256 signed as PS256", sign(RS256, "PS256", rsa)),
                row("ES256 with an RSA key", sign("{\"alg\":\"ES256\",\"kid\":\"key-1\"}", "RS256", rsa)),
                row("RS256 with an EC key", sign("{\"alg\":\"RS256\",\"kid\":\"ec\"}", "ES256", ec())),
                row("ES384 with a key for ES256", sign("{\"alg\":\"ES384\",\"kid\":\"ec\"}", "ES384", ec())),
                row("ES256 with a P-384 key", sign("{\"alg\":\"ES256\",\"kid\":\"ec-384\"}", "ES256", ec384())),
                row("ES256K", sign("{\"alg\":\"ES256K\",\"kid\":\"ec\"}", "ES256", ec())),
                row("ES256 with zeroes", unsigned("{\"alg\":\"ES256\",\"kid\":\"ec\"}", encoded(new byte[64]))),
                row("ES256 with one byte", unsigned("{\"alg\":\"ES256\",\"kid\":\"ec\"}", "AA")),
                row("EdDSA with an EC key", sign("{\"alg\":\"EdDSA\",\"kid\":\"ec\"}", "ES256", ec())),
                row("EdDSA with zeroes", unsigned("{\"alg\":\"EdDSA\",\"kid\":\"ed\"}", encoded(new byte[64]))),
                row("rs256", sign("{\"alg\":\"rs256\",\"kid\":\"key-1\"}", "RS256", rsa)),
                row("an unknown algorithm", sign("{\"alg\":\"XX\",\"kid\":\"key-1\"}", "RS256", rsa)),
                row("a number as algorithm", sign("{\"alg\":256,\"kid\":\"key-1\"}", "RS256", rsa)),
                row("a list as algorithm", sign("{\"alg\":[\"RS256\"],\"kid\":\"key-1\"}", "RS256", rsa)),
                row("no algorithm", sign("{\"kid\":\"key-1\"}", "RS256", rsa)),
                row("two algorithms", sign("{\"alg\":\"RS256\",\"alg\":\"none\",\"kid\":\"key-1\"}", "RS256", rsa)));
    }

    private static Stream<Arguments> keys() {
        var rsa = TestKeys.RSA.getPrivate();
        var own = TestKeys.jwk(TestKeys.OTHER_RSA, "mine", "");
        return Stream.of(
                row("another key", sign(RS256, "RS256", TestKeys.OTHER_RSA.getPrivate())),
                row("a key for encryption", keyed("for-encryption", TestKeys.OTHER_RSA.getPrivate())),
                row("a weak key", keyed("weak", TestKeys.WEAK_RSA.getPrivate())),
                row("a path as key id", keyed("../../../../dev/null", rsa)),
                row("SQL as key id", keyed("x' UNION SELECT 'secret' --", rsa)),
                row("a shell as key id", keyed("$(id)|`id`;", rsa)),
                row("a URL as key id", keyed("http://127.0.0.1:1/keys", rsa)),
                row("a huge key id", keyed("k".repeat(257), rsa)),
                row("the largest key id", keyed("k".repeat(256), rsa)),
                row("zero bytes in the key id", keyed("key-1\\u0000", rsa)),
                row("the key id in upper case", keyed("KEY-1", rsa)),
                row("a number as key id", sign("{\"alg\":\"RS256\",\"kid\":1}", "RS256", rsa)),
                row("null as key id", sign("{\"alg\":\"RS256\",\"kid\":null}", "RS256", rsa)),
                row("a list as key id", sign("{\"alg\":\"RS256\",\"kid\":[\"key-1\"]}", "RS256", rsa)),
                row("two key ids", sign("{\"alg\":\"RS256\",\"kid\":\"x\",\"kid\":\"key-1\"}", "RS256", rsa)),
                row("its own key", headed(",\"jwk\":" + own, TestKeys.OTHER_RSA.getPrivate())),
                row("the place of its own keys", headed(",\"jku\":\"http://127.0.0.1/x\"", rsa)),
                row("the place of its certificate", headed(",\"x5u\":\"http://127.0.0.1/x\"", rsa)),
                row("its own certificate", headed(",\"x5c\":[\"AAAA\"]", TestKeys.OTHER_RSA.getPrivate())));
    }

    private static Stream<Arguments> forms() {
        var valid = token();
        var parts = valid.split("\\.");
        var rsa = TestKeys.RSA.getPrivate();
        return Stream.of(
                row("no dots", "AAAA"),
                row("one dot", parts[0] + "." + parts[1]),
                row("three dots", valid + "."),
                row("four dots", valid + ".AAAA.AAAA"),
                row("only dots", ".."),
                row("a leading dot", "." + valid),
                row("truncated", valid.substring(0, valid.length() - 2)),
                row("one character more", valid + "A"),
                row("a changed claim", parts[0] + "." + encoded(claims("\"sub\":\"root\"")) + "." + parts[2]),
                row(
                        "a changed header",
                        encoded("{\"alg\":\"RS256\",\"kid\":\"key-1\",\"x\":1}") + "." + parts[1] + "." + parts[2]),
                row("padding", parts[0] + "=." + parts[1] + "." + parts[2]),
                row("padding of the signature", valid + "="),
                row(
                        "another alphabet",
                        parts[0] + "." + parts[1] + "."
                                + parts[2].replace('-', '+').replace('_', '/') + "+/"),
                row("loose bits in the last character", loose(parts)),
                row("crit", headed(",\"crit\":[\"exp\"]", rsa)),
                row("an empty crit", headed(",\"crit\":[]", rsa)),
                row("b64", headed(",\"b64\":false", rsa)),
                row("compression", headed(",\"zip\":\"DEF\"", rsa)),
                row("encryption", headed(",\"enc\":\"A128GCM\"", rsa)),
                row("an encrypted token", encoded("{\"alg\":\"dir\",\"enc\":\"A128GCM\"}") + "..AAAA.AAAA.AAAA"),
                row("a token in a token", headed(",\"cty\":\"JWT\"", rsa)),
                row("another type", headed(",\"typ\":\"logout+jwt\"", rsa)),
                row("a number as type", headed(",\"typ\":1", rsa)),
                row("a list as header", token("[]", claims())),
                row("no JSON as header", token("x", claims())),
                row("an empty header", token("", claims())),
                row("two headers", token(RS256 + RS256, claims())),
                row(
                        "a header that is not UTF-8",
                        encoded(new byte[] {'{', (byte) 0xff, '}'}) + "." + parts[1] + ".AAAA"),
                row("claims that are a list", token(RS256, "[]")),
                row("claims that are null", token(RS256, "null")),
                row("claims that are text", token(RS256, "\"x\"")),
                row("deep claims", token(RS256, claims("\"x\":" + "[".repeat(1500) + "]".repeat(1500)))),
                row("half a character", token(RS256, claims("\"sub\":\"\\ud800\""))),
                row("too long", token(RS256, claims("\"x\":\"" + "y".repeat(9000) + "\""))),
                row("huge", "A".repeat(100_000)),
                row("huge dots", ".".repeat(8000)));
    }

    private static Stream<Arguments> claimSets() {
        return Stream.of(
                row("another issuer", claimed("\"iss\":\"https://evil.example\"")),
                row("the issuer and a slash", claimed("\"iss\":\"https://ci.example/\"")),
                row("the issuer in upper case", claimed("\"iss\":\"https://CI.example\"")),
                row("a list of issuers", claimed("\"iss\":[\"https://ci.example\"]")),
                row("null as issuer", claimed("\"iss\":null")),
                row("no issuer", token(RS256, "{\"aud\":\"holdfast\",\"sub\":\"x\",\"exp\":9999999999}")),
                row("two issuers", token(RS256, claims().replaceFirst("\\{", "{\"iss\":\"https://evil.example\","))),
                row("another audience", claimed("\"aud\":\"vault\"")),
                row("the audience in upper case", claimed("\"aud\":\"Holdfast\"")),
                row("a list of other audiences", claimed("\"aud\":[\"vault\",\"consul\"]")),
                row("an empty list of audiences", claimed("\"aud\":[]")),
                row("a number among the audiences", claimed("\"aud\":[\"holdfast\",1]")),
                row("audiences in a list of lists", claimed("\"aud\":[[\"holdfast\"]]")),
                row("an object as audience", claimed("\"aud\":{\"holdfast\":true}")),
                row("null as audience", claimed("\"aud\":null")),
                row("no audience", token(RS256, "{\"iss\":\"https://ci.example\",\"sub\":\"x\",\"exp\":9999999999}")),
                row("two audiences", token(RS256, claims().replaceFirst("\\{", "{\"aud\":\"vault\","))),
                row("no subject", token(RS256, claims().replace("\"sub\"", "\"sbu\""))),
                row("an empty subject", claimed("\"sub\":\"\"")),
                row("a number as subject", claimed("\"sub\":1")),
                row("a line end in the subject", claimed("\"sub\":\"a\\nb\"")),
                row("another alphabet in the subject", claimed("\"sub\":\"\\u0430dmin\"")),
                row("a blank at the end of the subject", claimed("\"sub\":\"admin \"")),
                row("a subject that is too long", claimed("\"sub\":\"" + "s".repeat(510) + "\"")),
                row("two subjects", token(RS256, claims().replaceFirst("\\{", "{\"sub\":\"root\","))));
    }

    private static Stream<Arguments> times() {
        var now = NOW.getEpochSecond();
        return Stream.of(
                row("no expiry", token(RS256, claims().replace("\"exp\"", "\"pxe\""))),
                row("expired at the end of the leeway", claimed("\"iat\":1,\"exp\":" + (now - 30))),
                row("expired long ago", claimed("\"iat\":1,\"exp\":2")),
                row("an expiry of zero", claimed("\"exp\":0")),
                row("a negative expiry", claimed("\"exp\":-1")),
                row("text as expiry", claimed("\"exp\":\"" + (now + 60) + "\"")),
                row("an expiry with a fraction", claimed("\"exp\":" + (now + 60) + ".5")),
                row("an expiry with an exponent", claimed("\"exp\":1e300")),
                row("an expiry with a huge exponent", claimed("\"exp\":1e1000000000")),
                row("a huge expiry", claimed("\"exp\":" + "9".repeat(900))),
                row("an expiry beyond all years", claimed("\"exp\":9223372036854775807")),
                row("an expiry in milliseconds", claimed("\"exp\":" + (now + 60) * 1000)),
                row("null as expiry", claimed("\"exp\":null")),
                row("true as expiry", claimed("\"exp\":true")),
                row("two expiries", token(RS256, claims().replaceFirst("\\{", "{\"exp\":1,"))),
                row("not valid before the leeway", claimed("\"nbf\":" + (now + 31))),
                row("text as not-before", claimed("\"nbf\":\"0\"")),
                row("a huge not-before", claimed("\"nbf\":9223372036854775807")),
                row("null as not-before", claimed("\"nbf\":null")),
                row("issued in the future", claimed("\"iat\":" + (now + 31))),
                row("text as time of issue", claimed("\"iat\":\"0\"")),
                row("issued after its expiry", claimed("\"iat\":" + (now + 10) + ",\"exp\":" + (now + 5))),
                row("not valid before its expiry", claimed("\"nbf\":" + (now + 10) + ",\"exp\":" + (now + 10))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tokens")
    void theTokenIsRefused(String what, String token) {
        assertThat(stage.bearer(token)).isInstanceOf(Refused.class);
        assertThat(((Refused) stage.bearer(token)).reason()).isNotBlank().hasSizeLessThan(250);
    }

    @Test
    void theTokensThatTheseAreMadeFromAreAccepted() {
        assertThat(Stream.of(
                        token(),
                        token(RS256, claims()),
                        claimed("\"aud\":[\"vault\",\"holdfast\"]"),
                        headed(",\"x5t\":\"AAAA\",\"typ\":\"at+jwt\"", TestKeys.RSA.getPrivate()),
                        sign("{\"alg\":\"PS256\",\"kid\":\"key-1\"}", "PS256", TestKeys.RSA.getPrivate()),
                        sign("{\"alg\":\"RS512\",\"kid\":\"key-1\"}", "RS512", TestKeys.RSA.getPrivate()),
                        sign("{\"alg\":\"ES256\",\"kid\":\"ec\"}", "ES256", ec()),
                        sign("{\"alg\":\"ES256\"}", "ES256", ec()),
                        sign("{\"alg\":\"ES384\",\"kid\":\"ec-384\"}", "ES384", ec384()),
                        sign("{\"alg\":\"EdDSA\",\"kid\":\"ed\"}", "EdDSA", TestKeys.ED.getPrivate())))
                .allSatisfy(token -> assertThat(stage.bearer(token)).isInstanceOf(Authenticated.class));
    }

    static Stream<Arguments> headers() {
        var basic = "Basic " + Base64.getEncoder().encodeToString("x:static-secret".getBytes(StandardCharsets.UTF_8));
        return Stream.of(
                header(""),
                header(" "),
                header("Bearer"),
                header("Bearer "),
                header("Bearer  "),
                header("Bearer a b"),
                header("Bearer static-secret,static-secret"),
                header("Bearer\tstatic-secret"),
                header(" Bearer static-secret"),
                header("Bearer static-secret "),
                header("Bearer static-secret\r\nX: y"),
                header("Bearer \"static-secret\""),
                header("Bearer static-secret\u0000"),
                header("Bearer st\u00e4tic"),
                header("Bearer: static-secret"),
                header("static-secret"),
                header("Token static-secret"),
                header("Digest username=x"),
                header("Negotiate AAAA"),
                header("Bearer static-secreT"),
                header("Bearer static-secre"),
                header("Bearer static-secret0"),
                header("Bearer =static-secret"),
                header("Bearer " + "x".repeat(200_000)),
                header("Basic"),
                header("Basic !!!"),
                header("Basic " + encoded("nocolon")),
                header("Basic " + encoded("x:")),
                header("Basic " + encoded("static-secret:x")),
                header("Basic " + encoded(new byte[] {'x', ':', (byte) 0xff, (byte) 0xfe})),
                header(basic, basic),
                header("Bearer static-secret", "Bearer static-secret"),
                header("Bearer static-secret", basic),
                header("Bearer static-secret", ""));
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("headers")
    void theHeaderIsRefused(String... values) {
        assertThat(stage.header(values)).isInstanceOf(Refused.class);
    }

    private static Arguments header(String... values) {
        return Arguments.of((Object) values);
    }

    private static Arguments row(String what, String token) {
        return Arguments.of(what, token);
    }

    private static PrivateKey ec() {
        return TestKeys.EC.getPrivate();
    }

    private static PrivateKey ec384() {
        return TestKeys.EC_384.getPrivate();
    }

    private static String sign(String header, String algorithm, PrivateKey key) {
        return TestKeys.signed(header, claims(), algorithm, key);
    }

    private static String keyed(String kid, PrivateKey key) {
        return sign("{\"alg\":\"RS256\",\"kid\":\"" + kid + "\"}", "RS256", key);
    }

    private static String headed(String more, PrivateKey key) {
        return sign("{\"alg\":\"RS256\",\"kid\":\"key-1\"" + more + "}", "RS256", key);
    }

    private static String claimed(String more) {
        return token(RS256, claims(more));
    }

    private static String unsigned(String header, String signature) {
        return encoded(header) + "." + encoded(claims()) + "." + signature;
    }

    private static byte[] pem(byte[] key) {
        return ("-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
                        + "\n-----END PUBLIC KEY-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static String hmac(String algorithm, String kid, byte[] secret) {
        try {
            var content = encoded("{\"alg\":\"" + algorithm + "\",\"kid\":\"" + kid + "\"}") + "." + encoded(claims());
            var mac = Mac.getInstance("HmacSHA" + algorithm.substring(2));
            mac.init(new SecretKeySpec(secret, "x"));
            return content + "." + encoded(mac.doFinal(content.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same bytes of the signature in another spelling. */
    private static String loose(String... parts) {
        var alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        var last = parts[2].charAt(parts[2].length() - 1);
        var other = alphabet.charAt(alphabet.indexOf(last) + 1);
        return parts[0] + "." + parts[1] + "." + parts[2].substring(0, parts[2].length() - 1) + other;
    }
}
