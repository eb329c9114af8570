using System.Security.Cryptography;
using System.Text;
using Transfer.S3.IntegrationTests.Cli;

namespace Transfer.S3.IntegrationTests.Credentials;

/// <summary>The base of tests of the tool with services that issue credentials. The environment contains no keys.</summary>
public abstract class CredentialTest : ToolTest, IAsyncLifetime
{
    private protected FakeAws Aws { get; private set; } = null!;

    public new async Task InitializeAsync()
    {
        await base.InitializeAsync();
        Aws = new FakeAws(Server);
        Environment.Remove("AWS_ACCESS_KEY_ID");
        Environment.Remove("AWS_SECRET_ACCESS_KEY");
        Environment["AWS_REGION"] = Server.Region;
        Environment["AWS_CONFIG_FILE"] = GetPath("config");
        Environment["AWS_SHARED_CREDENTIALS_FILE"] = GetPath("credentials");
        Environment["AWS_ENDPOINT_URL_STS"] = Environment["AWS_ENDPOINT_URL_SSO"] = Environment["AWS_ENDPOINT_URL_SSO_OIDC"] = Aws.Url;
        Environment["HOME"] = GetPath("home");
        Directory.CreateDirectory(GetPath("home"));
        await File.WriteAllTextAsync(GetPath("web-token"), FakeAws.WebToken + "\n");
        await File.WriteAllTextAsync(GetPath("container-token"), FakeAws.ContainerToken);
        await File.WriteAllTextAsync(GetPath("credentials"), $"[base]\naws_access_key_id = {Server.AccessKeyId}\naws_secret_access_key = {Server.SecretAccessKey}\n");
    }

    public new async Task DisposeAsync()
    {
        await Aws.DisposeAsync();
        await base.DisposeAsync();
    }

    /// <summary>Writes the configuration file. Placeholders stand for what differs in each run.</summary>
    private protected Task ConfigureAsync(string text) => File.WriteAllTextAsync(GetPath("config"), Fill(text));

    private protected string Fill(string text) => text
        .Replace("FOLDER", GetPath(string.Empty).TrimEnd('/'), StringComparison.Ordinal)
        .Replace("AWSURL", Aws.Url, StringComparison.Ordinal)
        .Replace("STOREURL", Server.Endpoint.ToString(), StringComparison.Ordinal)
        .Replace("KEYID", Server.AccessKeyId, StringComparison.Ordinal)
        .Replace("SECRET", Server.SecretAccessKey, StringComparison.Ordinal);

    /// <summary>Signs in: writes the token that 'aws sso login' would write.</summary>
    private protected async Task SignInAsync(string sessionOrUrl, DateTimeOffset expires, string token = FakeAws.SsoToken, string more = "")
    {
        string folder = Path.Combine(GetPath("home"), ".aws", "sso", "cache");
        Directory.CreateDirectory(folder);
#pragma warning disable CA5350 // the name of the file
        string name = Convert.ToHexStringLower(SHA1.HashData(Encoding.UTF8.GetBytes(sessionOrUrl)));
#pragma warning restore CA5350
        await File.WriteAllTextAsync(
            Path.Combine(folder, name + ".json"),
            $$"""{"startUrl":"https://start.example","region":"us-east-1","accessToken":"{{token}}","expiresAt":"{{expires.UtcDateTime:yyyy-MM-ddTHH:mm:ssZ}}"{{more}}}""").Within();
    }
}
