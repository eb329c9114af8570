using Transfer.Cli.Options;

namespace Transfer.Tests.Cli;

public sealed class WriteSettingsTests
{
    [Theory]
    [InlineData("--metadata nothing", "--metadata got 'nothing'; it accepts NAME=VALUE")]
    [InlineData("--metadata =x", "--metadata got '=x'")]
    [InlineData("--metadata a=1 --metadata a=2", "--metadata got 'a=2'")]
    [InlineData("--tag x", "--tag got 'x'")]
    [InlineData("--sse rot13", "--sse got 'rot13'; it accepts AES256, aws:kms, or aws:kms:dsse")]
    [InlineData("--sse-kms-key-id k", "--sse-kms-key-id needs --sse aws:kms")]
    [InlineData("--sse AES256 --sse-kms-key-id k", "--sse-kms-key-id needs --sse aws:kms")]
    [InlineData("--expires soon", "--expires got 'soon'; it accepts a time")]
    public void Resolve_InvalidValue_ErrorNamesOptionValueAndAcceptedValues(string line, string message)
    {
        UsageException e = Assert.Throws<UsageException>(() => Resolve(line, uploads: true));
        Assert.StartsWith(message, e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--content-type text/plain")]
    [InlineData("--metadata a=b")]
    [InlineData("--sse aws:kms")]
    public void Resolve_TargetIsNotInAStore_IsRejected(string line)
    {
        UsageException e = Assert.Throws<UsageException>(() => Resolve(line, uploads: false));
        Assert.StartsWith(line.Split(' ')[0], e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Resolve_NoOptions_SetsNothing()
    {
        WriteSettings settings = Resolve(string.Empty, uploads: true);
        Assert.False(settings.IsGiven);
        Assert.Equal(new UploadOptions(), settings.Options);
    }

    [Fact]
    public void Resolve_AllOptions_AreInTheUploadOptions()
    {
        WriteSettings settings = Resolve("--sse aws:kms --sse-kms-key-id alias/k --expires 2030-01-31T12:00:00+02:00 --metadata a=b=c --tag d= --if-match x", uploads: true);

        Assert.True(settings.IsGiven);
        Assert.Equal(ObjectEncryption.Kms("alias/k"), settings.Options.Encryption);
        Assert.Equal(new DateTimeOffset(2030, 1, 31, 10, 0, 0, TimeSpan.Zero), settings.Options.Expires);
        Assert.Equal(("b=c", "", "x"), (settings.Options.Metadata!["a"], settings.Options.Tags!["d"], settings.Options.IfMatch));
    }

    private static WriteSettings Resolve(string line, bool uploads, params (string Name, string Value)[] environment)
    {
        WriteOptions options = new();
        return WriteSettings.Resolve(CliLine.Values(command => options.AddTo(command), line, environment), options, uploads);
    }
}
