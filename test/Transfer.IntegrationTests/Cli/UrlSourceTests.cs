using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary><c>transfer cp</c> from a presigned URL, which allows one GET request at a time, and nothing else.</summary>
public sealed class UrlSourceTests : IDisposable
{
    private const int Large = (20 << 20) + 5;
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [Stores("plain", "a b+c&d=ä%2B/k", OurWireOnly = true)]
    public async Task ToFile_LargeObject_IsReadInParallelRangesAndVerified(string store, string key)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        byte[] content = Sample.Bytes(Large);
        await tool.PutAsync(key, content);

        ToolOutcome outcome = (await RunAsync("cp", await PresignAsync(tool, key), _folder.File("copy"), "--part-size", "5MiB", "--json")).Expect(0);

        Assert.Equal(content, await File.ReadAllBytesAsync(_folder.File("copy")));
        Assert.Equal("verified", outcome.Json.GetProperty("checksum").GetProperty("verdict").GetString());
        Assert.InRange(outcome.Json.GetProperty("requests").GetInt32(), 4, 8);
    }

    [Theory]
    [Stores(0, 1, 1000, OurWireOnly = true)]
    public async Task ToStandardOutput_AnySize_WritesIt(string store, int size)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        await tool.PutAsync("k", Sample.Bytes(size));

        Assert.Equal(Sample.Bytes(size), (await RunAsync("cp", await PresignAsync(tool, "k"), "-")).Expect(0).Output);
    }

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task ToStore_IsUploadedWithItsCredentials(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        await tool.PutAsync("folder/k", Sample.Bytes(Large));
        await using ToolStore other = await ToolStore.StartAsync(Store.Embedded);

        (await other.RunAsync("cp", await PresignAsync(tool, "folder/k"), $"s3://{other.Bucket}/to/")).Expect(0);

        Assert.Equal(Large, (await other.Store.S3.GetObjectMetadataAsync(other.Bucket, "to/k").Within()).ContentLength);
        (await other.RunAsync("cp", $"s3://{other.Bucket}/to/k", _folder.File("copy"))).Expect(0);
        Assert.Equal(Sample.Bytes(Large), await File.ReadAllBytesAsync(_folder.File("copy")));
    }

    [Fact]
    public async Task Interrupted_AnotherUrlOfTheSameObjectResumes()
    {
        await using ToolStore tool = await ToolStore.StartAsync(Store.Embedded);
        EmbeddedS3Server server = ((EmbeddedStore)tool.Store).Server;
        await tool.PutAsync("k", Sample.Bytes(Large));
        string[] options = [_folder.File("copy"), "--part-size", "5MiB", "--concurrency", "1", "--json"];
        server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.ExpireToken) { Operation = "GetObject", After = 3, Times = null }] });
        (await RunAsync(["cp", await PresignAsync(tool, "k"), .. options])).Expect(1);
        server.SetFaults(null);

        ToolOutcome outcome = (await RunAsync(["cp", await PresignAsync(tool, "k", "--expires", "2h"), .. options])).Expect(0);

        Assert.InRange(outcome.Json.GetProperty("resumed_bytes").GetInt64(), 5 << 20, Large - 1);
        Assert.Equal(Sample.Bytes(Large), await File.ReadAllBytesAsync(_folder.File("copy")));
    }

    [Fact]
    public async Task RangeAndDryRun_AreThoseOfTheObject()
    {
        await using ToolStore tool = await ToolStore.StartAsync(Store.Embedded);
        await tool.PutAsync("k", Sample.Bytes(1000));
        string url = await PresignAsync(tool, "k");

        Assert.Equal(Sample.Bytes(1000)[10..20], (await RunAsync("cp", url, "-", "--range", "10-19")).Expect(0).Output);
        Assert.Contains("1000 B", (await RunAsync("cp", url, _folder.File("copy"), "--dry-run")).Expect(0).Text, StringComparison.Ordinal);
        Assert.False(File.Exists(_folder.File("copy")));
    }

    [Fact]
    public async Task Refused_TheStoreSaysWhyAndTheSignatureIsNowhere()
    {
        await using ToolStore tool = await ToolStore.StartAsync(Store.Embedded);
        await tool.PutAsync("k", Sample.Bytes(1000));
        string url = await PresignAsync(tool, "k");
        string signature = url[(url.IndexOf("X-Amz-Signature=", StringComparison.Ordinal) + "X-Amz-Signature=".Length)..];
        string tampered = url.Replace(signature, new string('0', signature.Length), StringComparison.Ordinal);

        ToolOutcome outcome = (await RunAsync("cp", tampered, _folder.File("copy"), "--trace", _folder.File("trace.har"), "--verbose")).Expect(1);
        (await RunAsync("cp", url, _folder.File("copy"), "--trace", _folder.File("good.har"), "--report", _folder.File("report.jsonl"), "--verbose")).Expect(0);

        Assert.Contains("signature", outcome.Error, StringComparison.OrdinalIgnoreCase);
        Assert.All(
            new[] { outcome.Error, outcome.Text, await File.ReadAllTextAsync(_folder.File("trace.har")), await File.ReadAllTextAsync(_folder.File("good.har")), await File.ReadAllTextAsync(_folder.File("report.jsonl")) },
            text => Assert.False(text.Contains(signature, StringComparison.Ordinal) || text.Contains(new string('0', signature.Length), StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("cp", "-r", "https://h/k?X-Amz-Signature=secret", "there")]
    [InlineData("cp", "https://h/k?X-Amz-Signature=secret", "https://h/l?X-Amz-Signature=secret", "there")]
    [InlineData("cp", "there", "https://h/k?X-Amz-Signature=secret")]
    [InlineData("mv", "https://h/k?X-Amz-Signature=secret", "there")]
    [InlineData("cp", "https://h/?X-Amz-Signature=secret", "there")]
    [InlineData("cp", "https://user@h/k?X-Amz-Signature=secret", "there")]
    [InlineData("cp", "https://h/k?X-Amz-Signature=secret", "there", "--version-id", "1")]
    [InlineData("cp", "https://h/k?X-Amz-Signature=secret", "there", "--from-profile", "p")]
    [InlineData("cp", "https://h/k?X-Amz-Signature=secret", "there", "--endpoint-url", "https://other")]
    public async Task CannotBeUsedThere_ExitsWithTwoAndHidesTheSignature(params string[] arguments)
    {
        ToolOutcome outcome = (await RunAsync(arguments)).Expect(2);

        Assert.DoesNotContain("secret", outcome.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", outcome.Text, StringComparison.Ordinal);
    }

    /// <summary>Runs the tool without credentials.</summary>
    private static Task<ToolOutcome> RunAsync(params string[] arguments) => ToolProcess.RunAsync(new Dictionary<string, string>(), arguments);

    private static async Task<string> PresignAsync(ToolStore tool, string key, params string[] options)
        => (await tool.RunAsync(["presign", $"s3://{tool.Bucket}/{key}", .. options])).Expect(0).Text.TrimEnd();
}
