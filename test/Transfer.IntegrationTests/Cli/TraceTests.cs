using System.Text.Json;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary><c>--trace</c> writes what a store did, without secrets, and <c>serve --replay</c> does it again.</summary>
public sealed class TraceTests : ToolTest
{
    private const int Length = 20_000_000;

    [Fact]
    public async Task Trace_UploadAndDownload_HasEveryRequestAndNoSecret()
    {
        string source = await WriteFileAsync("source", Sample.Bytes(Length, seed: 1));
        (await RunAsync("cp", source, $"s3://{Bucket}/big", "--trace", GetPath("up.har"))).Expect(0);
        (await RunAsync("cp", $"s3://{Bucket}/big", GetPath("copy"), "--trace", GetPath("down.har"))).Expect(0);
        ToolOutcome failed = (await RunAsync("cp", $"s3://{Bucket}/none", GetPath("other"), "--trace", GetPath("none.har"))).Expect(1);

        JsonElement[] up = Entries("up.har");
        Assert.EachEqual(("POST", "POST"), (Method(up[0]), Method(up[^1])));
        Assert.All(up[1..^1], static entry => Assert.Equal("PUT", Method(entry)));
        Assert.Equal(Length, up[1..^1].Sum(static entry => entry.GetProperty("request").GetProperty("bodySize").GetInt64()));
        Assert.Contains("CompleteMultipartUpload", up[^1].GetProperty("request").GetProperty("postData").GetProperty("text").GetString(), StringComparison.Ordinal);
        JsonElement[] down = [.. Entries("down.har").Where(static entry => !entry.GetProperty("request").GetProperty("url").GetString()!.Contains('?', StringComparison.Ordinal))];
        Assert.All(down, static entry => Assert.False(entry.GetProperty("response").GetProperty("content").TryGetProperty("text", out _)));
        Assert.Equal(Length, down.Sum(static entry => entry.GetProperty("response").GetProperty("content").GetProperty("size").GetInt64()));
        Assert.Contains("NoSuchKey", await File.ReadAllTextAsync(GetPath("none.har")), StringComparison.Ordinal);
        Assert.Contains("none", failed.Error, StringComparison.Ordinal);
        foreach (string name in (string[])["up.har", "down.har", "none.har"])
        {
            string text = await File.ReadAllTextAsync(GetPath(name));
            Assert.DoesNotContain(Server.SecretAccessKey, text, StringComparison.Ordinal);
            Assert.DoesNotContain("Credential=", text, StringComparison.Ordinal);
            Assert.DoesNotContain("Signature=", text, StringComparison.Ordinal);
            Assert.Contains("(hidden)", text, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Replay_TracedCommands_EndInTheSameWay()
    {
        for (int i = 0; i < 3; i++)
        {
            await PutAsync($"tree/{i}", Sample.Bytes(1000 * i, seed: i));
        }

        await PutAsync("big", Sample.Bytes(Length, seed: 4));
        string file = await WriteFileAsync("file", Sample.Bytes(100, seed: 5));
        string[][] commands =
        [
            ["cp", "-r", $"s3://{Bucket}/tree", GetPath("tree")], ["cp", $"s3://{Bucket}/big", GetPath("big")], ["stat", $"s3://{Bucket}/big"],
            ["cp", $"s3://{Bucket}/none", GetPath("none")], ["cp", "--no-clobber", file, $"s3://{Bucket}/new"], ["ls", $"s3://{Bucket}"],
        ];
        foreach (string[] command in commands)
        {
            ToolOutcome traced = await RunAsync([.. command, "--trace", GetPath("trace.har")]);
            Assert.NotEmpty(Server.Requests);
            Directory.CreateDirectory(GetPath("tree"));
            Directory.Delete(GetPath("tree"), recursive: true);
            File.Delete(GetPath("big"));
            Server.ClearRequests();

            await using EmbeddedS3Server replay = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Replay = GetPath("trace.har") });
            Environment["AWS_ENDPOINT_URL_S3"] = replay.Endpoint.ToString();
            ToolOutcome again = await RunAsync(command);
            Environment["AWS_ENDPOINT_URL_S3"] = Server.Endpoint.ToString();

            Assert.EachEqual((command[0], traced.ExitCode), (command[0], again.ExitCode));
            Assert.DoesNotContain(replay.Requests, static request => request.StatusCode == 501);
            Assert.Empty(Server.Requests);
        }
    }

    /// <summary>A store repeats the request that it has signed if the signature doesn't match.</summary>
    [Fact]
    public async Task Trace_StoreRepeatsTheRequest_HidesItsSecrets()
    {
        const string Token = "a-session-token-that-nobody-may-read";
        await using ScriptedServer server = new(request => ScriptedAnswer.Text(
            "HTTP/1.1 403 Forbidden\r\nContent-Type: application/xml\r\nx-amz-request-id: R1",
            $"<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message><CanonicalRequest>{request.Header("x-amz-security-token")} {request.Header("Authorization")}</CanonicalRequest></Error>"));
        Environment["AWS_ENDPOINT_URL_S3"] = server.Url;
        Environment["AWS_SESSION_TOKEN"] = Token;

        ToolOutcome outcome = (await RunAsync("ls", $"s3://{Bucket}", "--trace", GetPath("trace.har"))).Expect(1);

        string trace = await File.ReadAllTextAsync(GetPath("trace.har"));
        Assert.Contains("SignatureDoesNotMatch", trace, StringComparison.Ordinal);
        Assert.Contains("CanonicalRequest>(hidden)", trace.Replace("\\u003E", ">", StringComparison.OrdinalIgnoreCase), StringComparison.Ordinal);
        Assert.All([trace, outcome.Error], text => Assert.DoesNotContain(Token, text, StringComparison.Ordinal));
        Assert.DoesNotContain("Signature=", trace, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Trace_FileCannotBeWritten_ExitsWithTwo()
    {
        ToolOutcome outcome = (await RunAsync("ls", $"s3://{Bucket}", "--trace", GetPath("no/such/folder/trace"))).Expect(2);

        Assert.Contains("--trace", outcome.Error, StringComparison.Ordinal);
        Assert.Empty(Server.Requests);
    }

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("{\"log\":{\"entries\":[{}]}}")]
    public async Task Replay_NotATrace_SaysSo(string content)
    {
        await File.WriteAllTextAsync(GetPath("bad.har"), content);

        InvalidDataException e = await Assert.ThrowsAsync<InvalidDataException>(() => EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Replay = GetPath("bad.har") })).Within();

        Assert.Contains("is not an HTTP Archive", e.Message, StringComparison.Ordinal);
    }

    private static string Method(JsonElement entry) => entry.GetProperty("request").GetProperty("method").GetString()!;

    private JsonElement[] Entries(string name)
    {
        using JsonDocument archive = JsonDocument.Parse(File.ReadAllText(GetPath(name)));
        return [.. archive.RootElement.GetProperty("log").GetProperty("entries").EnumerateArray().Select(static entry => entry.Clone())];
    }
}
