using Transfer.S3.IntegrationTests.Cli;

namespace Transfer.S3.IntegrationTests.Credentials;

/// <summary>Every source of credentials lists a bucket.</summary>
public sealed class CredentialSourceTests : CredentialTest
{
    private const string Role = "role_arn = arn:aws:iam::123456789012:role/";
    private const string Keys = "AWS_ACCESS_KEY_ID=KEYID AWS_SECRET_ACCESS_KEY=SECRET";
    private const string Container = "AWS_CONTAINER_CREDENTIALS_FULL_URI=AWSURL/container AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=FOLDER/container-token";
    private const string Instance = "AWS_EC2_METADATA_DISABLED=false AWS_EC2_METADATA_SERVICE_ENDPOINT=AWSURL";
    private const string Session = "[sso-session corp]\nsso_region = us-east-1\nsso_start_url = https://start.example\nsso_registration_scopes = sso:account:access\n";

    /// <summary>Gets the name of a case, the profile of the command line, the configuration file, and the environment.</summary>
    public static TheoryData<string, string?, string, string> Sources => new()
    {
        { "environment", null, "", Keys },
        { "profile in the credentials file", "base", "", "" },
        { "profile in the configuration file", "p", "[profile p]\naws_access_key_id = KEYID\naws_secret_access_key = SECRET", "" },
        { "profile of the environment", null, "", "AWS_PROFILE=base" },
        { "default profile", null, "[default]\naws_access_key_id = KEYID\naws_secret_access_key = SECRET", "" },
        { "profile before the environment", "base", "", "AWS_ACCESS_KEY_ID=wrong AWS_SECRET_ACCESS_KEY=wrong" },
        { "source_profile", "p", $"[profile p]\n{Role}one\nsource_profile = base", "" },
        { "source_profile that is the profile itself", "p", $"[profile p]\n{Role}one\nsource_profile = p\naws_access_key_id = KEYID\naws_secret_access_key = SECRET", "" },
        { "chain of roles", "p", $"[profile p]\n{Role}two\nsource_profile = q\nexternal_id = x\n[profile q]\n{Role}one\nsource_profile = base\nrole_session_name = s", "" },
        { "credential_source Environment", "p", $"[profile p]\n{Role}one\ncredential_source = Environment", Keys },
        { "credential_source EcsContainer", "p", $"[profile p]\n{Role}one\ncredential_source = EcsContainer", Container },
        { "credential_source Ec2InstanceMetadata", "p", $"[profile p]\n{Role}one\ncredential_source = Ec2InstanceMetadata", Instance },
        { "web identity of the environment", null, "", "AWS_WEB_IDENTITY_TOKEN_FILE=FOLDER/web-token AWS_ROLE_ARN=arn:aws:iam::123456789012:role/web" },
        { "web_identity_token_file", "p", $"[profile p]\n{Role}web\nweb_identity_token_file = FOLDER/web-token\nrole_session_name = s", "" },
        { "role with the token of a web identity as its source", "p", $"[profile p]\n{Role}two\nsource_profile = q\n[profile q]\n{Role}web\nweb_identity_token_file = FOLDER/web-token", "" },
        { "sso_session", "p", Session + "[profile p]\nsso_session = corp\nsso_account_id = 123456789012\nsso_role_name = reader", "" },
        { "sso keys without a session", "p", "[profile p]\nsso_start_url = https://start.example\nsso_region = us-east-1\nsso_account_id = 123456789012\nsso_role_name = reader", "" },
        { "role with single sign-on as its source", "p", Session + $"[profile p]\n{Role}one\nsource_profile = q\n[profile q]\nsso_session = corp\nsso_account_id = 123456789012\nsso_role_name = reader", "" },
        { "credential_process", "p", "[profile p]\ncredential_process = cat FOLDER/process.json", "" },
        { "container", null, "", Container },
        { "instance metadata", null, "", Instance },
        { "endpoint of the profile for S3", "p", "[profile p]\naws_access_key_id = KEYID\naws_secret_access_key = SECRET\nservices = local\n[services local]\ns3 =\n  endpoint_url = STOREURL", "AWS_ENDPOINT_URL_S3=" },
        { "endpoint of the profile for the token service", "p", $"[profile p]\n{Role}one\nsource_profile = base\nservices = local\n[services local]\nsts =\n  endpoint_url = AWSURL", "AWS_ENDPOINT_URL_STS=" },
    };

    [Theory]
    [MemberData(nameof(Sources))]
    public async Task List_WithCredentialsOfEachSource_ListsTheBucket(string source, string? profile, string config, string environment)
    {
        await PutAsync("key", [1]);
        await ConfigureAsync(config);
        await SignInAsync("corp", DateTimeOffset.UtcNow.AddHours(1));
        await SignInAsync("https://start.example", DateTimeOffset.UtcNow.AddHours(1));
        await WriteFileAsync("process.json", System.Text.Encoding.UTF8.GetBytes(Fill("""{"Version":1,"AccessKeyId":"KEYID","SecretAccessKey":"SECRET"}""")));
        foreach (string[] variable in environment.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(variable => variable.Split('=', 2)))
        {
            Environment[variable[0]] = Fill(variable[1]);
        }

        // An empty variable counts as not set, but not in the SDK.
        foreach (string name in Environment.Keys.Where(name => Environment[name].Length == 0).ToList())
        {
            Environment.Remove(name);
        }

        ToolOutcome outcome = await RunAsync(profile is null ? ["ls", $"s3://{Bucket}"] : ["ls", "--profile", profile, $"s3://{Bucket}"]);

        Assert.True(outcome.ExitCode == 0, $"{source}: {outcome.Error}");
        Assert.EndsWith("  key", Assert.Single(outcome.Lines), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData($"[profile p]\n{Role}denied\nsource_profile = base", "the role arn:aws:iam::123456789012:role/denied can't be assumed: not authorized to assume arn:aws:iam::123456789012:role/denied (AccessDenied)")]
    [InlineData($"[profile p]\n{Role}web\nweb_identity_token_file = FOLDER/nothing", "the web identity token file can't be read: ")]
    [InlineData($"[profile p]\n{Role}one\nsource_profile = nobody", "source_profile of profile 'p' is 'nobody', but there is no such profile, or it has no credentials")]
    [InlineData($"[profile p]\n{Role}one\nsource_profile = q\n[profile q]\n{Role}two\nsource_profile = p", "the profiles 'p', 'q' refer to each other in a circle by source_profile")]
    [InlineData($"[profile p]\n{Role}one\ncredential_source = Cloud", "credential_source of profile 'p' is 'Cloud'; it accepts Environment, EcsContainer, and Ec2InstanceMetadata")]
    [InlineData($"[profile p]\n{Role}one", "the profile 'p' has role_arn; it also needs source_profile, credential_source, or web_identity_token_file")]
    [InlineData($"[profile p]\n{Role}mfa\nsource_profile = base\nmfa_serial = arn:aws:iam::123456789012:mfa/me", "needs an MFA code of arn:aws:iam::123456789012:mfa/me, and there is no terminal to enter it")]
    [InlineData("[profile p]\ncredential_process = echo no >&2; exit 3", "credential_process of profile 'p' returned no credentials: ")]
    [InlineData("[profile p]\nlogin_session = arn:aws:iam::123456789012:user/me", "the profile 'p' signs in with 'aws login', which is not supported")]
    [InlineData("[profile p]\nregion = us-east-1", "the profile 'p' has no credentials")]
    [InlineData("[profile p]\nsso_start_url = https://start.example\nsso_region = us-east-1\nsso_account_id = 1\nsso_role_name = r", "the single sign-on session of profile 'p' has expired, or there is none; run 'aws sso login --profile p'")]
    [InlineData(Session + "[profile p]\nsso_session = corp\nsso_account_id = 1\nsso_role_name = r", "the single sign-on session of profile 'p' has expired, or there is none; run 'aws sso login --sso-session corp'")]
    [InlineData(Session + $"[profile p]\n{Role}one\nsource_profile = q\n[profile q]\nsso_session = corp\nsso_account_id = 1\nsso_role_name = r", "run 'aws sso login --sso-session corp'")]
    public async Task List_SourceReturnsNoCredentials_SaysWhyAndSendsNothing(string config, string expected)
    {
        await ConfigureAsync(config);
        await SignInAsync("corp", DateTimeOffset.UtcNow.AddHours(-1));

        ToolOutcome outcome = await ToolProcess.RunWithoutTerminalAsync(Environment, "ls", "--profile", "p", $"s3://{Bucket}");

        outcome.Expect(2);
        Assert.Contains(expected, outcome.Error, StringComparison.Ordinal);
        Assert.Empty(Server.Requests);
    }

    [Fact]
    public async Task List_ServiceRejectsTheSsoToken_NamesTheCommandThatRenewsIt()
    {
        await ConfigureAsync(Session + "[profile p]\nsso_session = corp\nsso_account_id = 1\nsso_role_name = r");
        await SignInAsync("corp", DateTimeOffset.UtcNow.AddHours(1), "revoked");

        ToolOutcome outcome = (await RunAsync("ls", "--profile", "p", $"s3://{Bucket}")).Expect(2);

        Assert.Contains("run 'aws sso login --sso-session corp'", outcome.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task List_SsoTokenCanBeRefreshed_SignsInAgain()
    {
        await PutAsync("key", [1]);
        await ConfigureAsync(Session + "[profile p]\nsso_session = corp\nsso_account_id = 1\nsso_role_name = r");
        await SignInAsync(
            "corp", DateTimeOffset.UtcNow.AddHours(-1), "expired",
            $$""","refreshToken":"{{FakeAws.RefreshToken}}","clientId":"c","clientSecret":"s","registrationExpiresAt":"2100-01-01T00:00:00Z" """);

        ToolOutcome outcome = (await RunAsync("ls", "--profile", "p", $"s3://{Bucket}")).Expect(0);

        Assert.EndsWith("  key", Assert.Single(outcome.Lines), StringComparison.Ordinal);
        Assert.Single(Aws.Requests, static request => request.Target == "/token");
    }

    [Fact]
    public async Task List_NoSource_SaysHowToSetOne()
    {
        ToolOutcome outcome = (await RunAsync("ls", $"s3://{Bucket}")).Expect(2);

        Assert.Contains("no credentials were found; set AWS_ACCESS_KEY_ID", outcome.Error, StringComparison.Ordinal);
    }

    /// <summary>The error names the file, the line, and what is accepted. It doesn't contain the line, which can be a secret.</summary>
    [Theory]
    [InlineData("[default]\naws_access_key_id = a\naws_secret_access_key hush", "line 3 of FOLDER/FILE is not valid; a line of an AWS configuration file is a section such as [default]")]
    [InlineData("[default\naws_access_key_id = a", "line 1 of FOLDER/FILE is not valid")]
    [InlineData("\ufeff\u0000hush[[[\n=", "line 1 of FOLDER/FILE is not valid")]
    public async Task List_InvalidLine_ErrorNamesIt(string text, string expected)
    {
        foreach (string file in (string[])["config", "credentials"])
        {
            await File.WriteAllTextAsync(GetPath(file), text);

            ToolOutcome outcome = (await RunAsync("ls", $"s3://{Bucket}")).Expect(2);

            Assert.Contains(Fill(expected).Replace("FILE", file, StringComparison.Ordinal), outcome.Error, StringComparison.Ordinal);
            Assert.DoesNotContain("hush", outcome.Error, StringComparison.Ordinal);
            await File.WriteAllTextAsync(GetPath(file), string.Empty);
        }
    }

    [Theory]
    [InlineData("credentials", "aws_access_key_id = KEYID", "FOLDER/credentials has no section such as [default]")]
    [InlineData("credentials", null, "FOLDER/credentials is a directory instead of a file")]
    [InlineData("config", null, "FOLDER/config is a directory instead of a file")]
    public async Task List_FileIsNotUsed_ErrorNamesIt(string file, string? text, string expected)
    {
        File.Delete(GetPath(file));
        await (text is null ? Task.FromResult(Directory.CreateDirectory(GetPath(file))) : File.WriteAllTextAsync(GetPath(file), Fill(text)));

        ToolOutcome outcome = (await RunAsync("ls", $"s3://{Bucket}")).Expect(2);

        Assert.Contains(Fill(expected), outcome.Error, StringComparison.Ordinal);
    }

    /// <summary>What editors of Windows write, a section that is there twice, of which the first one counts, and a comment in another encoding.</summary>
    [Theory]
    [InlineData("\u00ef\u00bb\u00bf[default]\r\naws_access_key_id = KEYID\r\naws_secret_access_key = SECRET\r\n")]
    [InlineData("[default]\naws_access_key_id = KEYID\naws_secret_access_key = SECRET\n[default]\naws_access_key_id = a")]
    [InlineData("[default]\n# caf\u00e9\naws_access_key_id = KEYID\naws_secret_access_key = SECRET")]
    public async Task List_UnusualFile_IsRead(string text)
    {
        await PutAsync("key", [1]);
        foreach (string file in (string[])["config", "credentials"])
        {
            await File.WriteAllBytesAsync(GetPath(file), System.Text.Encoding.Latin1.GetBytes(Fill(text)));
            (await RunAsync("ls", $"s3://{Bucket}")).Expect(0);
            File.Delete(GetPath(file));
        }
    }

    [Fact]
    public async Task List_MfaOnATerminal_AsksForTheCode()
    {
        await PutAsync("key", [1]);
        await ConfigureAsync($"[profile p]\n{Role}mfa\nsource_profile = base\nmfa_serial = arn:aws:iam::123456789012:mfa/me");

        ToolOutcome outcome = await ToolProcess.RunOnTerminalAsync("123456\n", Environment, "ls", "--profile", "p", $"s3://{Bucket}");

        Assert.Contains("Enter the MFA code of arn:aws:iam::123456789012:mfa/me for arn:aws:iam::123456789012:role/mfa: ", outcome.Text, StringComparison.Ordinal);
        Assert.Contains("  key", outcome.Text, StringComparison.Ordinal);
        Assert.Contains(Aws.Forms, form => form.Contains("SerialNumber=arn:aws:iam::123456789012:mfa/me", StringComparison.Ordinal));
    }
}
