using System.Text;
using Transfer.S3.IntegrationTests.Cli;

namespace Transfer.S3.IntegrationTests.Credentials;

/// <summary>Commands that don't need the packages for roles and single sign-on start without them.</summary>
public sealed class LoadedPackageTests : CredentialTest
{
    private const string LoaderEvents = "Microsoft-Windows-DotNETRuntime:0x8:5";

    /// <summary>A native file loads no packages.</summary>
    private protected override ToolFile Tool => ToolFile.Built;

    [Theory]
    [InlineData("--version", false)]
    [InlineData("ls s3://bucket", false)]
    [InlineData("ls --profile base s3://bucket", false)]
    [InlineData("ls --profile role s3://bucket", true)]
    public async Task Command_LoadsThePackagesForRoles_OnlyForARole(string line, bool expected)
    {
        await ConfigureAsync("[profile role]\nrole_arn = arn:aws:iam::123456789012:role/one\nsource_profile = base\n");
        if (!line.Contains("--profile", StringComparison.Ordinal))
        {
            Environment["AWS_ACCESS_KEY_ID"] = Server.AccessKeyId;
            Environment["AWS_SECRET_ACCESS_KEY"] = Server.SecretAccessKey;
        }

        string trace = GetPath("trace.nettrace");
        Environment["DOTNET_EnableEventPipe"] = "1";
        Environment["DOTNET_EventPipeConfig"] = LoaderEvents;
        Environment["DOTNET_EventPipeOutputPath"] = trace;

        (await RunAsync(line.Split(' '))).Expect(0);

        byte[] events = await File.ReadAllBytesAsync(trace).Within();
        Assert.Equal(expected, Contains(events, "AWSSDK.SecurityToken"));
        Assert.False(Contains(events, "AWSSDK.SSO"));
        Assert.True(Contains(events, "System.CommandLine")); // the trace is complete
    }

    private static bool Contains(byte[] events, string name) => events.AsSpan().IndexOf(Encoding.Unicode.GetBytes(name)) >= 0;
}
