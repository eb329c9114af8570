using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

[LongRunning]
public sealed class CopyFailureTests : ToolTest
{
    [Fact]
    public async Task Copy_MissingFile_Fails()
    {
        ToolOutcome outcome = (await RunAsync("cp", GetPath("nothing"), $"s3://{Bucket}/k", "--json")).Expect(1);
        Assert.Contains("nothing': no such file", outcome.Error, StringComparison.Ordinal);
        Assert.Equal(1, outcome.Json.GetProperty("failed").GetInt32());
        Assert.Empty(Server.Requests);
    }

    /// <summary>Every object would fail in the same way, with or without a response of the store.</summary>
    [Theory]
    [InlineData("Bad_Name_", "there is no such bucket; a bucket name has 3 to 63 lowercase letters, digits, dots, and hyphens")]
    [InlineData("ab", "there is no such bucket; a bucket name has 3 to 63 lowercase letters, digits, dots, and hyphens")]
    [InlineData("arn:aws:s3:::b", "InvalidBucketName")]
    public async Task CopyFolder_BadBucketName_EndsEarlyWithOneError(string bucket, string expected)
    {
        Directory.CreateDirectory(GetPath("folder"));
        for (int i = 0; i < 100; i++)
        {
            await WriteFileAsync($"folder/{i}", [1]);
        }

        ToolOutcome outcome = (await RunAsync("cp", "-r", "--quiet", GetPath("folder"), $"s3://{bucket}/p/")).Expect(1);

        Assert.Contains(expected, Assert.Single(outcome.Error.TrimEnd().Split('\n')), StringComparison.Ordinal);
        Assert.InRange(Server.Requests.Count, 0, 99);
    }

    [Fact]
    public async Task Copy_InterruptedUploadCannotBeAborted_ErrorSaysThatItStaysOpen()
    {
        Server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.ExpireToken) { Operation = "AbortMultipartUpload", Times = null }] });
        using ToolProcess tool = ToolProcess.Start(Environment, "cp", "-", $"s3://{Bucket}/k");

        // More than the read-ahead of the tool and one part, so the upload has started. Its input stays open, so it can't complete.
        await tool.Input.WriteAsync(Sample.Bytes(32 << 20)).Within();
        await tool.SignalAsync("INT");

        ToolOutcome outcome = (await tool.EndAsync()).Expect(130);
        Assert.Contains("transfer: interrupted; and cleaning up failed: s3://bucket/k: could not abort the multipart upload ", outcome.Error, StringComparison.Ordinal);
        Assert.Equal(1, Server.Statistics.OpenMultipartUploads);
    }

    /// <summary>The copy succeeds, but an upload whose ID is unknown may be open.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Copy_ResponseToCreateIsLost_WarnsThatAnUploadMayBeOpen(bool recursive)
    {
        Directory.CreateDirectory(GetPath("folder"));
        string source = await WriteFileAsync("folder/source", Sample.Bytes(9 << 20));
        Server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.LoseReply) { Operation = "CreateMultipartUpload" }] });

        string[] line = recursive ? ["cp", "-r", Path.GetDirectoryName(source)!, $"s3://{Bucket}/"] : ["cp", source, $"s3://{Bucket}/source"];
        ToolOutcome outcome = (await RunAsync(line)).Expect(0);

        Assert.Contains("transfer: warning: The response to the creation of a multipart upload of s3://bucket/source was lost", outcome.Error, StringComparison.Ordinal);
        Assert.Equal(1, Server.Statistics.OpenMultipartUploads);
    }

    [Fact]
    public async Task Copy_MissingKey_ErrorNamesItAndTheRequestId()
    {
        ToolOutcome outcome = (await RunAsync("cp", $"s3://{Bucket}/nothing", GetPath("target"), "--json")).Expect(1);
        JsonElement error = outcome.Json.GetProperty("errors")[0];
        Assert.Equal("nothing", error.GetProperty("key").GetString());
        Assert.False(string.IsNullOrEmpty(error.GetProperty("request_id").GetString()));
        Assert.Contains($"s3://{Bucket}/nothing: there is no such key (NoSuchKey, request id ", outcome.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(GetPath("target")));
    }

    [Fact]
    public async Task Copy_MissingBucket_ErrorSaysSo()
    {
        string source = await WriteFileAsync("source", [1]);
        Assert.Contains("there is no such bucket", (await RunAsync("cp", source, "s3://nobucket/k")).Expect(1).Error, StringComparison.Ordinal);
        Assert.Contains("there is no such bucket", (await RunAsync("cp", "s3://nobucket/k", GetPath("t"))).Expect(1).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Copy_WrongSecret_ErrorNamesTheVariableWithoutTheSecret()
    {
        Environment["AWS_SECRET_ACCESS_KEY"] = "hush-hush";
        ToolOutcome outcome = (await RunAsync("cp", $"s3://{Bucket}/k", GetPath("t"))).Expect(1);
        Assert.Contains("AWS_SECRET_ACCESS_KEY", outcome.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("hush", outcome.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Copy_NoCredentials_IsAConfigurationError()
    {
        Environment.Remove("AWS_ACCESS_KEY_ID");
        Environment.Remove("AWS_SECRET_ACCESS_KEY");
        ToolOutcome outcome = (await RunAsync("cp", $"s3://{Bucket}/k", GetPath("t"))).Expect(2);
        Assert.Contains("no credentials were found", outcome.Error, StringComparison.Ordinal);
        Assert.Empty(Server.Requests);
    }

    [Fact]
    public async Task Copy_InvalidValueInTheEnvironment_IsAUsageErrorWithoutARequest()
    {
        Environment["TRANSFER_PART_SIZE"] = "1KiB";
        ToolOutcome outcome = (await RunAsync("cp", $"s3://{Bucket}/k", GetPath("t"))).Expect(2);
        Assert.Contains("TRANSFER_PART_SIZE got '1KiB'; it accepts a size from 64 KiB to 5 GiB", outcome.Error, StringComparison.Ordinal);
        Assert.Empty(Server.Requests);
    }

    [Fact]
    public async Task Copy_EndpointRefusesConnections_ErrorNamesIt()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        string endpoint = $"http://{listener.LocalEndpoint}/";
        listener.Stop();
        Assert.Contains(endpoint, (await RunAsync("cp", $"s3://{Bucket}/k", GetPath("t"), "--endpoint-url", endpoint)).Expect(1).Error, StringComparison.Ordinal);
        Assert.Contains(endpoint, (await RunAsync("ls", $"s3://{Bucket}", "--endpoint-url", endpoint)).Expect(1).Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("200 OK", "<html></html>")]
    [InlineData("200 OK", "<!doctype html><p>hello<br>")]
    [InlineData("404 Not Found", "<html><body>404</body></html>")]
    [InlineData("403 Forbidden", "<!doctype html><p>no")]
    public async Task Copy_EndpointIsAWebServer_AsksWhetherItIsS3(string status, string page)
    {
        await using ScriptedServer web = new(_ => ScriptedAnswer.Text($"HTTP/1.1 {status}\r\nContent-Type: text/html", page));
        ToolOutcome copy = (await RunAsync("cp", $"s3://{Bucket}/k", GetPath("t"), "--endpoint-url", web.Url)).Expect(1);
        ToolOutcome list = (await RunAsync("ls", $"s3://{Bucket}", "--endpoint-url", web.Url)).Expect(1);
        Assert.Contains("is it an S3 endpoint?", copy.Error, StringComparison.Ordinal);
        Assert.Contains("is it an S3 endpoint?", list.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(GetPath("t")));
    }
}
