using System.Text.Json;
using Transfer.S3.IntegrationTests.Cli;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Credentials;

/// <summary><c>transfer whoami</c>.</summary>
public sealed class WhoAmITests : CredentialTest
{
    [Fact]
    public async Task WhoAmI_Role_ShowsSourceAccountAndExpiryButNoSecret()
    {
        await ConfigureAsync("[profile p]\nrole_arn = arn:aws:iam::123456789012:role/one\nsource_profile = base\n");

        ToolOutcome text = (await RunAsync("whoami", "--profile", "p")).Expect(0);
        ToolOutcome json = (await RunAsync("whoami", "--profile", "p", "--json", "-vv")).Expect(0);

        Assert.Equal(
            [
                $"Store       {Server.Endpoint}",
                "Region      us-east-1",
                "Source      role arn:aws:iam::123456789012:role/one of profile 'p', with the access key of profile 'base'",
                "Account     123456789012",
                "Identity    arn:aws:iam::123456789012:user/someone",
                "Access key  ends in 0001",
            ],
            text.Lines[..^1]);
        Assert.StartsWith("Expires     ", text.Lines[^1], StringComparison.Ordinal);
        JsonElement result = json.Json;
        Assert.Equal(
            ("whoami", "p", FakeAws.Account, "0002"),
            (result.GetProperty("operation").GetString(), result.GetProperty("profile").GetString(), result.GetProperty("account").GetString(), result.GetProperty("access_key_suffix").GetString()));
        Assert.InRange(result.GetProperty("expires").GetDateTimeOffset(), DateTimeOffset.UtcNow.AddMinutes(55), DateTimeOffset.UtcNow.AddMinutes(65));
        foreach (string written in (string[])[text.Text, text.Error, json.Text, json.Error])
        {
            foreach (string secret in (string[])["secret-", "session-token", Server.SecretAccessKey, "ASIAISSUED"])
            {
                Assert.DoesNotContain(secret, written, StringComparison.Ordinal);
            }
        }

        Assert.Empty(Server.Requests);
    }

    [Fact]
    public async Task WhoAmI_StoreWithoutTokenService_ShowsTheEndOfTheKey()
    {
        Environment.Remove("AWS_ENDPOINT_URL_STS");
        Environment["AWS_ACCESS_KEY_ID"] = "AKIAEXAMPLE7";
        Environment["AWS_SECRET_ACCESS_KEY"] = "hush";

        JsonElement result = (await RunAsync("whoami", "--json")).Expect(0).Json;

        Assert.Equal(JsonValueKind.Null, result.GetProperty("account").ValueKind);
        Assert.Equal("PLE7", result.GetProperty("access_key_suffix").GetString());
        Assert.Equal("the access key of the environment", result.GetProperty("source").GetString());
        Assert.Equal(JsonValueKind.Null, result.GetProperty("expires").ValueKind);
        Assert.Empty(Aws.Requests);
    }

    /// <summary>The SDK takes this variable for the address of the token service, too.</summary>
    [Fact]
    public async Task WhoAmI_EndpointOfAllServices_IsNotAskedForTheAccount()
    {
        Environment.Remove("AWS_ENDPOINT_URL_STS");
        Environment["AWS_ENDPOINT_URL"] = Server.Endpoint.ToString();
        Environment["AWS_ACCESS_KEY_ID"] = "AKIAEXAMPLE7";
        Environment["AWS_SECRET_ACCESS_KEY"] = "hush";

        ToolOutcome outcome = (await RunAsync("whoami")).Expect(0);

        Assert.Contains("Account     not known (the store has no token service)\n", outcome.Text, StringComparison.Ordinal);
        Assert.Contains("ends in PLE7", outcome.Text, StringComparison.Ordinal);
        Assert.Empty(Server.Requests);
    }

    [Fact]
    public async Task WhoAmI_TokenServiceKnowsNoSuchRequest_WarnsAndShowsTheRest()
    {
        await using ScriptedServer sts = new(_ => ScriptedAnswer.Text("HTTP/1.1 400 No\r\nContent-Type: text/xml", "<ErrorResponse><Error><Code>InvalidAction</Code><Message>no</Message></Error></ErrorResponse>"));
        Environment["AWS_ENDPOINT_URL_STS"] = sts.Url;
        Environment["AWS_ACCESS_KEY_ID"] = "AKIAEXAMPLE7";
        Environment["AWS_SECRET_ACCESS_KEY"] = "hush";

        Assert.Contains("warning: the account is not known", (await RunAsync("whoami")).Expect(0).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task WhoAmI_NoSignRequest_SaysThatThereAreNone()
        => Assert.Contains("Source      no credentials\n", (await RunAsync("whoami", "--no-sign-request")).Expect(0).Text, StringComparison.Ordinal);

    [Fact]
    public async Task WhoAmI_NoCredentials_ExitsWithTwo() => Assert.Contains("no credentials were found", (await RunAsync("whoami")).Expect(2).Error, StringComparison.Ordinal);

    [Theory]
    [InlineData(403, "InvalidClientTokenId", 1, "the token service rejected the access key of the environment: no (InvalidClientTokenId)")]
    [InlineData(400, "ExpiredToken", 1, "the token service rejected the access key of the environment: no (ExpiredToken)")]
    public async Task WhoAmI_TokenServiceRejectsTheKey_Fails(int status, string code, int exitCode, string expected)
    {
        await using ScriptedServer sts = new(_ => ScriptedAnswer.Text(
            $"HTTP/1.1 {status} No\r\nContent-Type: text/xml", $"<ErrorResponse><Error><Type>Sender</Type><Code>{code}</Code><Message>no</Message></Error><RequestId>R</RequestId></ErrorResponse>"));
        Environment["AWS_ENDPOINT_URL_STS"] = sts.Url;
        Environment["AWS_ACCESS_KEY_ID"] = "AKIAEXAMPLE7";
        Environment["AWS_SECRET_ACCESS_KEY"] = "hush";

        ToolOutcome outcome = (await RunAsync("whoami")).Expect(exitCode);

        Assert.Contains(expected, outcome.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("hush", outcome.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task WhoAmI_TokenServiceDoesNotRespond_WarnsAndShowsTheRest()
    {
        Environment["AWS_ENDPOINT_URL_STS"] = "http://127.0.0.1:1";
        Environment["AWS_ACCESS_KEY_ID"] = "AKIAEXAMPLE7";
        Environment["AWS_SECRET_ACCESS_KEY"] = "hush";

        ToolOutcome outcome = (await RunAsync("whoami")).Expect(0);

        Assert.Contains("warning: the account is not known, because the token service did not tell it: ", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("ends in PLE7", outcome.Text, StringComparison.Ordinal);
    }
}
