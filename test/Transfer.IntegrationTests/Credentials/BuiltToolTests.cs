using System.Text.Json;
using Transfer.S3.IntegrationTests.Cli;

namespace Transfer.S3.IntegrationTests.Credentials;

/// <summary>The tool as a build gives it, also where the other tests start the native file.</summary>
public sealed class BuiltToolTests : CredentialTest
{
    private protected override ToolFile Tool => ToolFile.Built;

    [Fact]
    public async Task Copy_BothDirections_VerifiesTheContent()
    {
        byte[] data = Sample.Bytes(20 << 20);
        string source = await WriteFileAsync("data.bin", data);
        string events = GetPath("events.jsonl");

        (await RunAsync("cp", "--profile", "base", source, $"s3://{Bucket}/")).Expect(0);
        ToolOutcome list = (await RunAsync("ls", "--profile", "base", $"s3://{Bucket}/")).Expect(0);
        ToolOutcome download = (await RunAsync("cp", "--profile", "base", "--json", $"s3://{Bucket}/data.bin", GetPath("copy.bin"))).Expect(0);
        (await RunAsync("cp", "--profile", "base", "-r", "--events", events, $"s3://{Bucket}/", GetPath("all"))).Expect(0);

        Assert.Contains("data.bin", list.Text, StringComparison.Ordinal);
        Assert.Equal("verified", download.Json.GetProperty("checksum").GetProperty("verdict").GetString());
        Assert.Equal(data, await File.ReadAllBytesAsync(GetPath("copy.bin")));
        Assert.Equal(data, await File.ReadAllBytesAsync(Path.Combine(GetPath("all"), "data.bin")));
        Assert.All(await File.ReadAllLinesAsync(events), static line => Assert.Equal(JsonValueKind.Object, ToolOutcome.Parse(line).ValueKind));
    }

    [Fact]
    public async Task SignOn_TokenHasExpired_IsRenewed()
    {
        await ConfigureAsync("""
            [sso-session corp]
            sso_region = us-east-1
            sso_start_url = https://start.example
            sso_registration_scopes = sso:account:access
            [profile sso]
            sso_session = corp
            sso_account_id = 123456789012
            sso_role_name = reader
            [profile role]
            role_arn = arn:aws:iam::123456789012:role/one
            source_profile = sso
            """);
        await SignInAsync(
            "corp", DateTimeOffset.UtcNow.AddHours(-1), "expired",
            $$""","refreshToken":"{{FakeAws.RefreshToken}}","clientId":"c","clientSecret":"s","registrationExpiresAt":"2100-01-01T00:00:00Z" """);

        await PutAsync("data.bin", Sample.Bytes(1));
        foreach (string profile in (string[])["sso", "role"])
        {
            ToolOutcome list = (await RunAsync("ls", "--profile", profile, $"s3://{Bucket}/")).Expect(0);
            Assert.Contains("data.bin", list.Text, StringComparison.Ordinal);
        }
    }
}
