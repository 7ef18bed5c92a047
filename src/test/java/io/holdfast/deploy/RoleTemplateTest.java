package io.holdfast.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.holdfast.deploy.Template.Statement;
import io.holdfast.store.dynamodb.call.Partition;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The role may do what the code does, on what it does it, and nothing else. */
class RoleTemplateTest {
    private static final Set<String> WITHOUT_A_KEY =
            Set.of("dynamodb:Scan", "dynamodb:DescribeTable", "dynamodb:DescribeTimeToLive");

    @Test
    void theTablePolicyAllowsTheActionsThatTheStoreUsesAndNoOther() {
        assertThat(Template.ROLE.actions("TablePolicy")).isEqualTo(ActionsUsed.ofDynamoDb());
    }

    @Test
    void theEc2PolicyAllowsTheActionsThatTheActuatorUsesAndNoOther() {
        assertThat(Template.ROLE.actions("Ec2Policy")).isEqualTo(ActionsUsed.ofEc2());
    }

    @Test
    void theRdsPolicyAllowsTheActionsThatTheActuatorUsesAndNoOther() {
        assertThat(Template.ROLE.actions("RdsPolicy")).isEqualTo(ActionsUsed.ofRds());
    }

    @Test
    void itemsAreLimitedToThePartitionsOfTheStoreAndNoOther() {
        var patterns = Arrays.stream(Partition.values()).map(Partition::pattern).toList();

        assertThat(TablePermissions.LEADING_KEYS).containsExactlyInAnyOrderElementsOf(patterns);
    }

    @Test
    void everyPartitionIsUsedByTheStore() {
        var used = new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("io.holdfast.store.dynamodb")
                        .get(Partition.class)
                        .getFieldAccessesToSelf()
                        .stream()
                        .filter(access -> !access.getOriginOwner().isEquivalentTo(Partition.class))
                        .map(access -> access.getTarget().getName())
                        .collect(Collectors.toSet());

        assertThat(used)
                .containsAll(Arrays.stream(Partition.values()).map(Enum::name).toList());
    }

    @Test
    void onlyActionsThatNameNoPartitionAreNotLimitedToPartitions() {
        var unlimited = Template.ROLE.statements("TablePolicy").stream()
                .filter(statement -> statement.condition().isEmpty())
                .flatMap(statement -> statement.actions().stream());

        assertThat(unlimited).containsExactlyInAnyOrderElementsOf(WITHOUT_A_KEY);
    }

    @Test
    void nothingIsAllowedOnMoreThanTheTable() {
        var table =
                Map.of("Fn::Sub", "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${TableName}");

        assertThat(Template.ROLE.statements("TablePolicy"))
                .extracting(Statement::resource)
                .containsOnly(table);
    }

    @Test
    void whatStopsAndStartsIsLimitedToWhatCarriesTheTag() {
        for (var policy : List.of("Ec2Policy", "RdsPolicy")) {
            assertThat(Template.ROLE.statements(policy))
                    .filteredOn(
                            statement -> statement.actions().stream().noneMatch(action -> action.contains(":Describe")))
                    .isNotEmpty()
                    .allSatisfy(statement -> assertThat(statement.condition().map(Object::toString))
                            .contains("{StringEquals={aws:ResourceTag/holdfast=managed}}"));
        }
    }

    @Test
    void whatTheActuatorsNeedIsOffUnlessAskedFor() {
        assertThat(Template.ROLE.at("Resources", "Ec2Policy", "Condition")).isEqualTo("StopsEc2");
        assertThat(Template.ROLE.at("Resources", "RdsPolicy", "Condition")).isEqualTo("StopsRds");
        assertThat(Template.ROLE.at("Parameters", "StopEc2", "Default")).isEqualTo("false");
        assertThat(Template.ROLE.at("Parameters", "StopRds", "Default")).isEqualTo("false");
    }

    @Test
    void theRoleIsTakenByOneServiceAccountAlone() throws JsonProcessingException {
        var text = (String) Template.ROLE.at("Resources", "Role", "Properties", "AssumeRolePolicyDocument", "Fn::Sub");
        var statements = new ObjectMapper().readTree(text).path("Statement");

        assertThat(statements).hasSize(1);
        assertThat(statements.path(0).path("Action").asText()).isEqualTo("sts:AssumeRoleWithWebIdentity");
        assertThat(statements.path(0).path("Condition"))
                .hasToString("{\"StringEquals\":{\"${OidcProvider}:sub\":"
                        + "\"system:serviceaccount:${Namespace}:${ServiceAccount}\","
                        + "\"${OidcProvider}:aud\":\"sts.amazonaws.com\"}}");
    }
}
