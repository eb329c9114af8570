using System.Text.Json;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Cli;

public sealed class VerifyTests : ToolTest
{
    private static readonly byte[] Content = Sample.Bytes(100_001);

    [Fact]
    public async Task Verify_TheSameInEitherOrder_ExitsWith0()
    {
        string file = await WriteFileAsync("file", Content);
        await PutAsync("dir/file", Content);

        foreach (string[] line in (string[][])[[file, $"s3://{Bucket}/dir/file"], [$"s3://{Bucket}/dir/file", file], [file, $"s3://{Bucket}/dir/"], [$"s3://{Bucket}/dir/file", GetPath(".")]])
        {
            ToolOutcome outcome = (await RunAsync(["verify", .. line])).Expect(0);
            Assert.StartsWith("the same by checksum (crc", outcome.Error, StringComparison.Ordinal);
            Assert.Empty(outcome.Text);
        }
    }

    [Fact]
    public async Task Verify_TheSame_WritesTheJsonResult()
    {
        string file = await WriteFileAsync("file", Content);
        await PutAsync("k", Content);

        ToolOutcome outcome = (await RunAsync("verify", file, $"s3://{Bucket}/k", "--json", "--quiet")).Expect(0);

        Assert.Empty(outcome.Error);
        JsonElement json = ToolOutcome.Parse(Assert.Single(outcome.Lines));
        Assert.Equal("verify", json.GetProperty("operation").GetString());
        Assert.EachEqual((Content.Length, 1, 0, 1), (json.GetProperty("bytes").GetInt32(), json.GetProperty("objects").GetInt32(), json.GetProperty("failed").GetInt32(), json.GetProperty("requests").GetInt32()));
        Assert.Equal("verified", json.GetProperty("checksum").GetProperty("verdict").GetString());
        Assert.False(string.IsNullOrEmpty(json.GetProperty("checksum").GetProperty("value").GetString()));
        Assert.Equal(0, json.GetProperty("errors").GetArrayLength());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Verify_Different_ExitsWith3AndSaysWhatDiffers(bool inSize)
    {
        byte[] other = inSize ? Content[1..] : [.. Content[..^1], (byte)(Content[^1] ^ 1)];
        string file = await WriteFileAsync("file", other);
        await PutAsync("k", Content);

        ToolOutcome outcome = (await RunAsync("verify", file, $"s3://{Bucket}/k", "--json")).Expect(3);

        Assert.Contains($"'{file}' differs from s3://{Bucket}/k: the file", outcome.Error, StringComparison.Ordinal);
        Assert.EachEqual((1, "k"), (outcome.Json.GetProperty("failed").GetInt32(), outcome.Json.GetProperty("errors")[0].GetProperty("key").GetString()));
        Assert.Equal("mismatch", outcome.Json.GetProperty("checksum").GetProperty("verdict").GetString());
    }

    [Fact]
    public async Task Verify_FileOrObjectIsMissing_Fails()
    {
        string file = await WriteFileAsync("file", Content);
        Assert.Contains($"s3://{Bucket}/nothing: there is no such", (await RunAsync("verify", file, $"s3://{Bucket}/nothing")).Expect(1).Error, StringComparison.Ordinal);
        Assert.Contains("no such file", (await RunAsync("verify", GetPath("nothing"), $"s3://{Bucket}/k")).Expect(1).Error, StringComparison.Ordinal);
    }

    /// <summary>The store returns nothing about an object except its size.</summary>
    [Theory]
    [InlineData("hello", false, 0)]
    [InlineData("hellO", false, 3)]
    [InlineData("hello", true, 1)]
    public async Task Verify_NoEvidence_ReadsTheObjectIfAllowed(string content, bool noRead, int exitCode)
    {
        const string headers = "\r\nETag: \"opaque\"\r\nx-amz-request-id: R1\r\nContent-Length: 5";
        await using ScriptedServer store = new(request => request.Method == "HEAD"
            ? ScriptedAnswer.Of("HTTP/1.1 200 OK" + headers)
            : ScriptedAnswer.Of("HTTP/1.1 200 OK" + headers, "hello"u8.ToArray()));
        string file = await WriteFileAsync("file", System.Text.Encoding.ASCII.GetBytes(content));

        ToolOutcome outcome = (await RunAsync("verify", file, $"s3://{Bucket}/k", "--endpoint-url", store.Url, "--json", noRead ? "--no-read" : "--quiet")).Expect(exitCode);

        string expected = exitCode switch { 0 => string.Empty, 1 => "was not compared with", _ => "the first byte that differs is at offset 4" };
        Assert.Contains(expected, outcome.Error, StringComparison.Ordinal);
        Assert.Equal(noRead ? "unverified" : exitCode == 0 ? "verified" : "mismatch", outcome.Json.GetProperty("checksum").GetProperty("verdict").GetString());
        Assert.Equal(noRead ? 1 : 2, store.Requests.Count);
    }

    [Fact]
    public async Task Verify_EndpointIsAWebServer_AsksWhetherItIsS3()
    {
        await using ScriptedServer web = new(_ => ScriptedAnswer.Of("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13"));
        string file = await WriteFileAsync("file", Content);
        Assert.Contains("is it an S3 endpoint?", (await RunAsync("verify", file, $"s3://{Bucket}/k", "--endpoint-url", web.Url)).Expect(1).Error, StringComparison.Ordinal);
    }
}
