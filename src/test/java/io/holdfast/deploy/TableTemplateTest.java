package io.holdfast.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.store.dynamodb.TableMade;
import io.holdfast.suite.Slow;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.error.YAMLException;

/** The template makes the table that the service would make, and keeps it. */
@Slow
class TableTemplateTest {
    private static final Set<String> PSEUDO_PARAMETERS =
            Set.of("AWS::NoValue", "AWS::Region", "AWS::AccountId", "AWS::Partition");

    @Test
    void theKeyAndTheTtlAreThoseOfTheTableThatTheServiceMakes() {
        var made = TableMade.byTheService();

        assertThat(table("KeySchema")).isEqualTo(made.keySchema());
        assertThat(table("AttributeDefinitions")).isEqualTo(made.attributes());
        assertThat(table("TimeToLiveSpecification"))
                .isEqualTo(Map.of("AttributeName", made.ttlAttribute(), "Enabled", true));
        assertThat(Template.TABLE.at("Parameters", "BillingMode", "Default")).isEqualTo(made.billingMode());
    }

    @Test
    void theTableOutlivesTheStackAndCanBeLookedAtAsItWas() {
        assertThat(Template.TABLE.at("Resources", "Table", "DeletionPolicy")).isEqualTo("Retain");
        assertThat(Template.TABLE.at("Resources", "Table", "UpdateReplacePolicy"))
                .isEqualTo("Retain");
        assertThat(table("DeletionProtectionEnabled")).isEqualTo(true);
        assertThat(table("PointInTimeRecoverySpecification")).isEqualTo(Map.of("PointInTimeRecoveryEnabled", true));
        assertThat(table("SSESpecification")).isEqualTo(Map.of("SSEEnabled", true, "SSEType", "KMS"));
    }

    @Test
    void everyAlarmIsOfThisTableAndGoesToTheTopicIfThereIsOne() {
        var toTopic = Map.of(
                "Fn::If", List.of("HasTopic", List.of(Map.of("Ref", "AlarmTopicArn")), Map.of("Ref", "AWS::NoValue")));
        var alarms = new HashSet<>(Template.TABLE.names("Resources"));
        alarms.remove("Table");

        assertThat(alarms).hasSize(4).allSatisfy(alarm -> {
            assertThat(Template.TABLE.at("Resources", alarm, "Type")).isEqualTo("AWS::CloudWatch::Alarm");
            assertThat(Template.TABLE.at("Resources", alarm, "Properties", "AlarmActions"))
                    .isEqualTo(toTopic);
            assertThat(Template.TABLE.at("Resources", alarm, "Properties", "TreatMissingData"))
                    .isEqualTo("notBreaching");
            assertThat(Template.TABLE.at("Resources", alarm, "Properties").toString())
                    .contains("{Name=TableName, Value={Ref=Table}}");
        });
    }

    @Test
    void systemErrorsAreCountedForEveryOperationOfTheStore() {
        var metrics = (List<?>) Template.TABLE.at("Resources", "SystemErrors", "Properties", "Metrics");
        var counted = new TreeSet<String>();
        for (var place = 1; place < metrics.size(); place++) {
            counted.add((String) Template.TABLE.at(
                    "Resources",
                    "SystemErrors",
                    "Properties",
                    "Metrics",
                    place,
                    "MetricStat",
                    "Metric",
                    "Dimensions",
                    1,
                    "Value"));
        }

        assertThat(counted).isEqualTo(ActionsUsed.dataOperations());
    }

    @Test
    void everyNameThatIsReferredToIsThere() {
        for (var template : List.of(Template.TABLE, Template.ROLE)) {
            var known = new TreeSet<>(PSEUDO_PARAMETERS);
            known.addAll(template.names("Parameters"));
            known.addAll(template.names("Resources"));

            assertThat(known).containsAll(template.arguments("Ref"));
            assertThat(template.names("Conditions")).isEqualTo(template.conditionsUsed());
            assertThat(template.arguments("Fn::GetAtt"))
                    .allSatisfy(name -> assertThat(template.names("Resources")).contains(name.split("\\.")[0]));
            assertThat(template.substituted()).isSubsetOf(known);
        }
    }

    @Test
    void everyParameterIsUsed() {
        for (var template : List.of(Template.TABLE, Template.ROLE)) {
            var used = new TreeSet<>(template.arguments("Ref"));
            used.addAll(template.substituted());

            assertThat(used).containsAll(template.names("Parameters"));
        }
    }

    @Test
    void aKeyThatIsThereTwiceIsNotRead() {
        assertThatThrownBy(() -> Template.parse("A: 1\nA: 2\n")).isInstanceOf(YAMLException.class);
    }

    @Test
    void aFunctionThatDoesNotExistIsNotRead() {
        assertThatThrownBy(() -> Template.parse("A: !Reff B\n")).hasMessageContaining("!Reff");
    }

    private static Object table(String property) {
        return Template.TABLE.at("Resources", "Table", "Properties", property);
    }
}
