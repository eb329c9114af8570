using Transfer.S3.Cli.Options;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Cli;

public sealed class WriteOptionsTests
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
        UsageException e = Assert.Throws<UsageException>(() => Resolve(line));
        Assert.StartsWith(message, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Resolve_NoOptions_SetsNothing()
    {
        WriteOptions options = new();
        Assert.False(options.IsGiven(CliLine.Values(command => options.AddTo(command), string.Empty)));
        Assert.Equal(new UploadOptions(), Resolve(string.Empty));
    }

    [Theory]
    [InlineData("--content-type text/plain")]
    [InlineData("--tag a=b")]
    public void IsGiven_AnOption_IsTrueWithoutReadingIt(string line)
    {
        WriteOptions options = new();
        OptionValues values = CliLine.Values(command => options.AddTo(command), line);
        Assert.True(options.IsGiven(values));
        Assert.Throws<UsageException>(() => values.RefuseUnread("a test"));
    }

    [Fact]
    public void Resolve_AllOptions_AreInTheUploadOptions()
    {
        UploadOptions upload = Resolve("--sse aws:kms --sse-kms-key-id alias/k --expires 2030-01-31T12:00:00+02:00 --metadata a=b=c --tag d= --if-match x");

        Assert.Equal(ObjectEncryption.Kms("alias/k"), upload.Encryption);
        Assert.Equal(new DateTimeOffset(2030, 1, 31, 10, 0, 0, TimeSpan.Zero), upload.Expires);
        Assert.EachEqual(("b=c", "", "x"), (upload.Metadata!["a"], upload.Tags!["d"], upload.IfMatch));
    }

    [Fact]
    public void Resolve_EveryHeader_HasAnOptionThatErrorsName()
    {
        Assert.All(HeaderSamples.All, header =>
        {
            HeaderOption option = Assert.Single(new WriteOptions().Headers, option => option.Property == header.Option);
            string value = header == ObjectHeader.Expires ? "2032-01-01" : HeaderSamples.GetValue(header);
            Assert.Equal(new UploadOptions().With(header), Resolve($"{option.Option.Name} {value}"));
            Assert.Equal($"{option.Option.Name} is 'x'", OptionNames.Translate($"{header.Option} is 'x'"));
        });
    }

    private static UploadOptions Resolve(string line)
    {
        WriteOptions options = new();
        return options.Resolve(CliLine.Values(command => options.AddTo(command), line), isOne: true);
    }
}
