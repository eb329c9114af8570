using System.Text.Json;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Cli;

[LongRunning]
public sealed class CopyTests : ToolTest
{
    private const int Large = 20 * 1024 * 1024 + 12345;

    private static readonly string[] Fields =
    [
        "operation", "bytes", "objects", "failed", "seconds", "mib_per_second", "requests", "retries", "hedged", "peak_buffer_bytes",
        "limited_by", "time", "concurrency", "checksum", "usage", "errors",
    ];

    [Theory]
    [InlineData(0)]
    [InlineData(1000)]
    [InlineData(Large)]
    public async Task Copy_FileUploadedAndDownloaded_IsTheSameAndVerified(int length)
    {
        byte[] content = Sample.Bytes(length);
        string source = await WriteFileAsync("source.bin", content);

        ToolOutcome up = (await RunAsync("cp", source, $"s3://{Bucket}/dir/")).Expect(0);
        ToolOutcome down = (await RunAsync("cp", $"s3://{Bucket}/dir/source.bin", GetPath("new/"))).Expect(0);

        Assert.Equal(content, await GetAsync("dir/source.bin"));
        Assert.Equal(content, await File.ReadAllBytesAsync(GetPath("new/source.bin")).Within());
        Assert.Contains("verified (crc64nvme ", up.Error, StringComparison.Ordinal);
        Assert.Contains("verified (crc64nvme ", down.Error, StringComparison.Ordinal);
        Assert.All((string[])[up.Error, down.Error], error => Assert.Equal(length == Large, error.Contains("/s), verified", StringComparison.Ordinal) && error.Contains("\nlimited by: ", StringComparison.Ordinal)));
        Assert.Empty(up.Output);
        Assert.Empty(down.Output);
    }

    [Fact]
    public async Task Copy_StandardInputAndOutput_CopiesTheBytes()
    {
        byte[] content = Sample.Bytes(Large);
        using (ToolProcess up = ToolProcess.Start(Environment, "cp", "-", $"s3://{Bucket}/piped"))
        {
            await up.Input.WriteAsync(content).Within();
            up.CloseInput();
            (await up.EndAsync()).Expect(0);
        }

        ToolOutcome down = (await RunAsync("cp", $"s3://{Bucket}/piped", "-", "--json")).Expect(0);

        Assert.Equal(content, down.Output);
        JsonElement result = ToolOutcome.Parse(down.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries)[^1]);
        Assert.Equal(Large, result.GetProperty("bytes").GetInt64());
    }

    /// <summary>A copy can't be faster than its limit. On a slow machine, it can take any longer time.</summary>
    [Fact]
    public async Task Copy_RateLimit_CopiesTheBytesAndTakesItsTime()
    {
        byte[] content = Sample.Bytes(3 << 20);
        string source = await WriteFileAsync("source.bin", content);

        JsonElement up = (await RunAsync("cp", "--limit-rate", "up=4MiB", source, $"s3://{Bucket}/key", "--json")).Expect(0).Json;
        JsonElement down = (await RunAsync("cp", "--limit-rate", "4MiB", $"s3://{Bucket}/key", GetPath("down.bin"), "--json")).Expect(0).Json;

        Assert.Equal(content, await GetAsync("key"));
        Assert.Equal(content, await File.ReadAllBytesAsync(GetPath("down.bin")).Within());
        Assert.All((JsonElement[])[up, down], result => Assert.True(result.GetProperty("seconds").GetDouble() >= 0.64, result.ToString()));
        Assert.Contains("--limit-rate got '1 B'", (await RunAsync("cp", "--limit-rate", "1 B", source, $"s3://{Bucket}/key")).Expect(2).Error, StringComparison.Ordinal);
    }

    /// <summary>8 MB is not a multiple of the chunk size.</summary>
    [Fact]
    public async Task Copy_LittleMemory_UploadsInParts()
    {
        byte[] content = Sample.Bytes(Large);
        string source = await WriteFileAsync("source.bin", content);

        (await RunAsync("cp", "--memory", "8MB", source, $"s3://{Bucket}/key")).Expect(0);
        ToolOutcome tooLarge = (await RunAsync("cp", "--memory", "6MB", "--part-size", "6MB", source, $"s3://{Bucket}/other")).Expect(2);

        Assert.Equal(content, await GetAsync("key"));
        Assert.Contains("whole chunks", tooLarge.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Copy_Range_CopiesOnlyItsBytes()
    {
        byte[] content = Sample.Bytes(Large);
        await PutAsync("key", content);

        ToolOutcome first = (await RunAsync("cp", "--range", "5-14", $"s3://{Bucket}/key", "-")).Expect(0);
        ToolOutcome last = (await RunAsync("cp", "--range", "-10", $"s3://{Bucket}/key", GetPath("last"), "--json")).Expect(0);
        (await RunAsync("cp", "--range", "100-", $"s3://{Bucket}/key", $"s3://{Bucket}/rest")).Expect(0);
        ToolOutcome behind = (await RunAsync("cp", "--range", $"{Large}-", $"s3://{Bucket}/key", GetPath("behind"))).Expect(1);

        Assert.Equal(content[5..15], first.Output);
        Assert.Equal(content[^10..], await File.ReadAllBytesAsync(GetPath("last")).Within());
        Assert.Equal(content[100..], await GetAsync("rest"));
        Assert.Equal(10, last.Json.GetProperty("bytes").GetInt64());
        Assert.Contains($"has no byte {Large}", behind.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Copy_KeepTime_SetsTheTimeOfTheObject()
    {
        await PutAsync("key", [1, 2, 3]);
        DateTime modified = (await S3.GetObjectMetadataAsync(Bucket, "key").Within()).LastModified!.Value.ToUniversalTime();
        File.SetLastWriteTimeUtc(await WriteFileAsync("file", [0]), modified.AddDays(-1));

        (await RunAsync("cp", "--keep-time", "--fsync", $"s3://{Bucket}/key", GetPath("file"))).Expect(0);

        Assert.Equal(modified, File.GetLastWriteTimeUtc(GetPath("file")));
        Assert.Equal([1, 2, 3], await File.ReadAllBytesAsync(GetPath("file")).Within());
    }

    [Fact]
    public async Task Copy_CustomerKey_IsReadFromAFileAndNotShown()
    {
        byte[] content = Sample.Bytes(1000);
        byte[] key = Sample.Bytes(32);
        string text = Convert.ToBase64String(key);
        await S3.PutObjectAsync(new()
        {
            BucketName = Bucket,
            Key = "key",
            InputStream = new MemoryStream(content),
            ServerSideEncryptionCustomerMethod = Amazon.S3.ServerSideEncryptionCustomerMethod.AES256,
            ServerSideEncryptionCustomerProvidedKey = text,
        }).Within();

        foreach (byte[] file in (byte[][])[key, System.Text.Encoding.ASCII.GetBytes(text + "\n")])
        {
            string path = await WriteFileAsync("sse.key", file);
            ToolOutcome outcome = (await RunAsync("cp", "--sse-c-key-file", path, $"s3://{Bucket}/key", "-")).Expect(0);
            Assert.Equal(content, outcome.Output);
            Assert.DoesNotContain(text, outcome.Error, StringComparison.Ordinal);
            (await RunAsync("cp", "--dry-run", "--sse-c-key-file", path, $"s3://{Bucket}/key", "-")).Expect(0);
        }

        (await RunAsync("cp", $"s3://{Bucket}/key", "-")).Expect(1);
    }

    [Fact]
    public async Task Copy_ObjectToObject_IsDoneByTheStore()
    {
        byte[] content = Sample.Bytes(Large);
        await PutAsync("from", content);

        ToolOutcome outcome = (await RunAsync("cp", $"s3://{Bucket}/from", $"s3://{Bucket}/to/", "--json")).Expect(0);

        Assert.EachEqual((Large, "verified"), (outcome.Json.GetProperty("bytes").GetInt32(), outcome.Json.GetProperty("checksum").GetProperty("verdict").GetString()));
        Assert.Contains(Server.Requests, request => request.Operation == "CopyObject");
        Assert.DoesNotContain(Server.Requests, request => request.Operation == "GetObject");
        Assert.Equal(content, await GetAsync("to/from"));
    }

    [Theory]
    [InlineData("--through")]
    [InlineData("--checksum", "crc32c")]
    [InlineData("--content-type", "text/x-new")]
    [InlineData("--range", "0-99")]
    public async Task Copy_ObjectToObject_IsTransferredThroughThisMachineIfRequestedOrNecessary(params string[] options)
    {
        await PutAsync("from", Sample.Bytes(Large));

        (await RunAsync(["cp", $"s3://{Bucket}/from", $"s3://{Bucket}/to", .. options])).Expect(0);

        Assert.Contains(Server.Requests, request => request.Operation == "GetObject");
        Assert.DoesNotContain(Server.Requests, request => request.Operation == "CopyObject");
        Assert.Equal(Sample.Bytes(Large)[..(options[0] == "--range" ? 100 : Large)], await GetAsync("to"));
    }

    [Fact]
    public async Task Copy_ObjectToObjectThroughThisMachine_KeepsPropertiesThatTheOptionsDoNotSet()
    {
        string source = await WriteFileAsync("a.html", Sample.Bytes(10));
        (await RunAsync("cp", source, $"s3://{Bucket}/a", "--tag", "t=u", "--content-encoding", "gzip", "--content-language", "fr", "--metadata", "a=b")).Expect(0);
        (await RunAsync("cp", "--through", $"s3://{Bucket}/a", $"s3://{Bucket}/kept")).Expect(0);
        Server.ClearRequests();

        (await RunAsync("cp", $"s3://{Bucket}/a", $"s3://{Bucket}/b", "--tag", "x=y", "--content-encoding", "br", "--metadata", "c=d")).Expect(0);

        Amazon.S3.Model.GetObjectMetadataResponse copy = await S3.GetObjectMetadataAsync(Bucket, "b");
        Amazon.S3.Model.GetObjectMetadataResponse kept = await S3.GetObjectMetadataAsync(Bucket, "kept");
        Assert.EachEqual(
            ("text/html", "gzip", "fr", "b"),
            (kept.Headers.ContentType, kept.Headers.ContentEncoding, kept.Headers["Content-Language"], kept.Metadata["a"]));
        Assert.Equal(["t=u"], (await RunAsync("tag", $"s3://{Bucket}/kept")).Expect(0).Lines);
        Assert.EachEqual(("br", "fr", null, "d"), (copy.Headers.ContentEncoding, copy.Headers["Content-Language"], copy.Metadata["a"], copy.Metadata["c"]));
        Assert.Equal("x", Assert.Single((await S3.GetObjectTaggingAsync(new Amazon.S3.Model.GetObjectTaggingRequest { BucketName = Bucket, Key = "b" })).Tagging).Key);
        Assert.DoesNotContain(Server.Requests, request => request.Operation == "GetObjectTagging" && request.Key == "a");
    }

    [Theory]
    [InlineData(403, "AccessDenied", true)]
    [InlineData(501, "NotImplemented", false)]
    public async Task Copy_ObjectToObjectThroughThisMachine_WarnsIfTagsCannotBeRead(int status, string code, bool isTold)
    {
        byte[] content = Sample.Bytes(1000);
        await using ScriptedServer store = new(request => request.Target.Contains("tagging", StringComparison.Ordinal) ? ScriptedAnswer.Error(status, code)
            : request.Method == "GET" ? ScriptedAnswer.Range(request, content, "\r\nETag: \"e\"\r\nContent-Encoding: gzip\r\nContent-Disposition: attachment; filename=\u00fc")
            : ScriptedAnswer.Of("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"e\"\r\nContent-Length: 0"));
        Environment["AWS_ENDPOINT_URL_S3"] = store.Url;

        ToolOutcome outcome = (await RunAsync("cp", "--through", $"s3://{Bucket}/a", $"s3://{Bucket}/b")).Expect(0);

        ScriptedRequest put = store.Requests.Single(request => request.Method == "PUT");
        Assert.EachEqual(("gzip", null), (put.Header("Content-Encoding"), put.Header("x-amz-tagging")));
        Assert.Contains(
            $"warning: s3://{Bucket}/b does not have these properties of s3://{Bucket}/a: Content-Disposition{(isTold ? ", tags" : string.Empty)}\n", outcome.Error, StringComparison.Ordinal);
        Assert.Null(put.Header("Content-Disposition"));
    }

    [Fact]
    public async Task Copy_WriteOptions_AreAppliedToTheObject()
    {
        string source = GetPath("page.html");
        await File.WriteAllBytesAsync(source, Sample.Bytes(1000));
        (await RunAsync("cp", source, $"s3://{Bucket}/guessed")).Expect(0);
        (await RunAsync(
            "cp", source, $"s3://{Bucket}/said", "--content-type", "text/x-said", "--metadata", "a=b=c", "--metadata", "d=", "--tag", "t=u", "--storage-class", "STANDARD_IA",
            "--cache-control", "no-cache", "--content-disposition", "inline", "--content-encoding", "br", "--content-language", "fr", "--expires", "2031-02-03", "--sse", "AES256",
            "--acl", "private")).Expect(0);

        Assert.Equal("text/html", (await S3.GetObjectMetadataAsync(Bucket, "guessed")).Headers.ContentType);
        Amazon.S3.Model.GetObjectMetadataResponse said = await S3.GetObjectMetadataAsync(Bucket, "said");
        Assert.Equal(
            ("text/x-said", "no-cache", "inline", "br", "fr", "Mon, 03 Feb 2031 00:00:00 GMT"),
            (said.Headers.ContentType, said.Headers.CacheControl, said.Headers.ContentDisposition, said.Headers.ContentEncoding, said.Headers["Content-Language"], said.ExpiresString));
        Assert.EachEqual(("b=c", "", "STANDARD_IA"), (said.Metadata["a"], said.Metadata["d"], said.StorageClass.Value));
        Assert.Equal("u", Assert.Single((await S3.GetObjectTaggingAsync(new Amazon.S3.Model.GetObjectTaggingRequest { BucketName = Bucket, Key = "said" })).Tagging).Value);
        (await RunAsync("cp", source, $"s3://{Bucket}/said", "--if-match", said.ETag)).Expect(0);
        (await RunAsync("cp", source, $"s3://{Bucket}/said", "--if-match", "0123")).Expect(1);
    }

    [Fact]
    public async Task Copy_Json_EndsWithTheDocumentedResult()
    {
        string source = await WriteFileAsync("source.bin", Sample.Bytes(Large));

        ToolOutcome outcome = (await RunAsync("cp", source, $"s3://{Bucket}/k", "--json", "--quiet")).Expect(0);

        Assert.Single(outcome.Lines);
        Assert.Empty(outcome.Error);
        JsonElement json = outcome.Json;
        Assert.Equal(Fields, json.EnumerateObject().Select(field => field.Name));
        Assert.Equal("cp", json.GetProperty("operation").GetString());
        Assert.Equal(Large, json.GetProperty("bytes").GetInt64());
        Assert.Equal(1, json.GetProperty("objects").GetInt32());
        Assert.Equal(0, json.GetProperty("failed").GetInt32());
        Assert.True(json.GetProperty("seconds").GetDouble() > 0);
        Assert.True(json.GetProperty("mib_per_second").GetDouble() > 0);
        Assert.True(json.GetProperty("requests").GetInt32() >= 4);
        Assert.True(json.GetProperty("time").GetProperty("first_byte").GetDouble() > 0);
        Assert.True(json.GetProperty("concurrency").GetProperty("upload").GetProperty("limit").GetInt32() >= 4);
        Assert.Equal("crc64nvme", json.GetProperty("checksum").GetProperty("algorithm").GetString());
        Assert.Equal("verified", json.GetProperty("checksum").GetProperty("verdict").GetString());
        Assert.Equal(8, Convert.FromBase64String(json.GetProperty("checksum").GetProperty("value").GetString()!).Length);
    }

    [Theory]
    [InlineData("crc32c")]
    [InlineData("crc32")]
    [InlineData("sha256")]
    public async Task Copy_SelectedChecksum_IsVerified(string name)
    {
        string source = await WriteFileAsync("source.bin", Sample.Bytes(1000));
        ToolOutcome outcome = (await RunAsync("cp", source, $"s3://{Bucket}/k", "--json", "--checksum", name)).Expect(0);
        Assert.Equal(name, outcome.Json.GetProperty("checksum").GetProperty("algorithm").GetString());
    }

    [Fact]
    public async Task Copy_NoClobber_KeepsExistingTargets()
    {
        byte[] old = Sample.Bytes(10, seed: 2);
        string file = await WriteFileAsync("file", old);
        await PutAsync("key", Sample.Bytes(20));

        ToolOutcome down = (await RunAsync("cp", $"s3://{Bucket}/key", file, "--no-clobber", "--json")).Expect(0);
        ToolOutcome up = (await RunAsync("cp", file, $"s3://{Bucket}/key", "--no-clobber", "--json")).Expect(0);
        (await RunAsync("cp", file, $"s3://{Bucket}/other", "--no-clobber")).Expect(0);

        Assert.Contains("skipped", down.Error, StringComparison.Ordinal);
        Assert.Equal(0, up.Json.GetProperty("objects").GetInt32());
        Assert.Equal(old, await File.ReadAllBytesAsync(file).Within());
        Assert.Equal(20, (await GetAsync("key")).Length);
        Assert.Equal(old, await GetAsync("other"));
    }

    [Theory]
    [InlineData(403, 200)]
    [InlineData(403, 412)]
    [InlineData(400, 200)]
    [InlineData(400, 412)]
    public async Task Copy_NoClobberAndHeadIsDenied_TheStoreDecides(int head, int put)
    {
        string file = await WriteFileAsync("file", Sample.Bytes(1000));
        await using ScriptedServer store = new(request => request.Method == "HEAD" ? ScriptedAnswer.Of($"HTTP/1.1 {head} No\r\nx-amz-request-id: R1\r\nContent-Length: 0")
            : put == 412 ? ScriptedAnswer.Error(412, "PreconditionFailed")
            : ScriptedAnswer.Of("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"e\"\r\nContent-Length: 0"));
        Environment["AWS_ENDPOINT_URL_S3"] = store.Url;

        ToolOutcome outcome = (await RunAsync("cp", file, $"s3://{Bucket}/key", "--no-clobber", "--json")).Expect(0);

        Assert.Equal("*", store.Requests.Single(request => request.Method == "PUT").Header("If-None-Match"));
        Assert.Equal(put == 412, outcome.Error.Contains("skipped", StringComparison.Ordinal));
        Assert.Equal(put == 412 ? 0 : 1, outcome.Json.GetProperty("objects").GetInt32());
    }

    [Fact]
    public async Task Copy_NoClobberOfAnEncryptedObject_IsSkippedWithAnyKey()
    {
        string file = await WriteFileAsync("file", Sample.Bytes(1000));
        string[] keys = [await WriteFileAsync("one.key", Sample.Bytes(32)), await WriteFileAsync("other.key", Sample.Bytes(32, seed: 2))];
        string[] line = ["cp", "--no-clobber", file, $"s3://{Bucket}/key"];
        (await RunAsync([.. line, "--sse-c-key-file", keys[0]])).Expect(0);

        ToolOutcome same = (await RunAsync([.. line, "--sse-c-key-file", keys[0]])).Expect(0);
        ToolOutcome other = (await RunAsync([.. line, "--sse-c-key-file", keys[1]])).Expect(0);
        ToolOutcome none = (await RunAsync(line)).Expect(0);

        Assert.All([same, other, none], outcome => Assert.Contains("skipped", outcome.Error, StringComparison.Ordinal));
        Assert.Equal(1, Server.Requests.Count(request => request.Operation == "PutObject" && request.StatusCode == 200));
        Assert.Equal(2, Server.Requests.Count(request => request.Operation == "PutObject" && request.StatusCode == 412)); // with the correct key, a HEAD finds the object before the PUT
    }

    [Fact]
    public async Task Copy_DryRun_ShowsTheCopyAndTransfersNothing()
    {
        string source = await WriteFileAsync("source.bin", Sample.Bytes(1000));
        ToolOutcome outcome = (await RunAsync("cp", source, $"s3://{Bucket}/k", "--dry-run")).Expect(0);
        Assert.Contains($"would copy {source} to s3://{Bucket}/k (1000 B)", outcome.Text, StringComparison.Ordinal);
        Assert.Contains($"would move {source} to s3://{Bucket}/k (1000 B)", (await RunAsync("mv", source, $"s3://{Bucket}/k", "--dry-run")).Expect(0).Text, StringComparison.Ordinal);
        Assert.Equal(
            $$"""{"action":"move","source":"{{source}}","target":"s3://{{Bucket}}/k","bytes":1000}""",
            (await RunAsync("mv", source, $"s3://{Bucket}/k", "--dry-run", "--json")).Expect(0).Lines[0]);
        Assert.Empty((await S3.ListObjectsV2Async(new Amazon.S3.Model.ListObjectsV2Request { BucketName = Bucket }).Within()).S3Objects ?? []);
    }

    [Fact]
    public async Task Copy_OutputIsClosedEarly_ExitsWithAnErrorCodeWithoutAMessage()
    {
        await PutAsync("large", Sample.Bytes(Large));
        using ToolProcess tool = ToolProcess.Start(Environment, "cp", $"s3://{Bucket}/large", "-");
        await tool.Output.ReadExactlyAsync(new byte[1000]).Within();
        tool.CloseOutput();
        ToolOutcome outcome = (await tool.EndAsync(readOutput: false)).Expect(1);
        Assert.Empty(outcome.Error);
    }

    [ProgramFact("mkfifo")]
    public async Task Copy_ReaderOfATargetPipeCloses_IsAReportedFailure()
    {
        await PutAsync("large", Sample.Bytes(Large));
        await ExternalProgram.RunAsync("mkfifo", Environment, GetPath("pipe"));
        using ToolProcess tool = ToolProcess.Start(Environment, "cp", $"s3://{Bucket}/large", GetPath("pipe"), "--json");
        using (FileStream reader = await Task.Run(() => File.OpenRead(GetPath("pipe"))).Within())
        {
            await reader.ReadExactlyAsync(new byte[1000]).AsTask().Within();
        }

        ToolOutcome outcome = (await tool.EndAsync()).Expect(1);

        Assert.Contains("Broken pipe", outcome.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("standard output", outcome.Text, StringComparison.Ordinal);
        Assert.Equal(1, outcome.Json.GetProperty("failed").GetInt32());
    }

    [Fact]
    public async Task Copy_FileOpenForExclusiveWriting_IsRejectedUnlessDotNetLocksAreOff()
    {
        string file = await WriteFileAsync("file", Sample.Bytes(1000));
        using FileStream writer = new(file, FileMode.Open, FileAccess.Write, FileShare.None);

        ToolOutcome refused = (await RunAsync("cp", file, $"s3://{Bucket}/k")).Expect(1);
        Environment["DOTNET_SYSTEM_IO_DISABLEFILELOCKING"] = "1";
        ToolOutcome allowed = await RunAsync("cp", file, $"s3://{Bucket}/k");

        Assert.Contains($"'{file}' could not be read: The process cannot access the file", refused.Error, StringComparison.Ordinal);
        Assert.Equal(OperatingSystem.IsWindows() ? 1 : 0, allowed.ExitCode);
    }

    /// <summary>The writer keeps the pipe open and writes nothing more, so only the signal can end the upload.</summary>
    [ProgramFact("mkfifo")]
    public async Task Copy_InterruptedUploadOfAPipe_LeavesNothing()
    {
        foreach (string signal in (string[])["INT", "TERM", "HUP"])
        {
            await ExternalProgram.RunAsync("mkfifo", Environment, GetPath(signal));
            using ToolProcess tool = ToolProcess.Start(Environment, "cp", GetPath(signal), $"s3://{Bucket}/k");
            using FileStream writer = await Task.Run(() => new FileStream(GetPath(signal), FileMode.Open, FileAccess.Write, FileShare.ReadWrite)).Within();
            await writer.WriteAsync(Sample.Bytes(Large)).AsTask().Within();
            await Deadline.Until(() => Server.Requests.Any(request => request.Operation == "UploadPart"));

            await tool.SignalAsync(signal);

            Assert.Equal("transfer: interrupted\n", (await tool.EndAsync()).Expect(130).Error);
            Assert.Equal(0, await CountUnfinishedUploadsAsync());
            Server.ClearRequests();
        }
    }

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    [InlineData("HUP")]
    public async Task Copy_InterruptedDownload_ExitsWith130(string signal)
    {
        await PutAsync("large", Sample.Bytes(Large));
        using ToolProcess tool = ToolProcess.Start(Environment, "cp", $"s3://{Bucket}/large", "-");

        // The download has started, and can't complete because its output is no longer read.
        await tool.Output.ReadExactlyAsync(new byte[1000]).Within();
        await tool.SignalAsync(signal);

        ToolOutcome outcome = (await tool.EndAsync()).Expect(130);
        Assert.Equal("transfer: interrupted\n", outcome.Error);
    }

    [Fact]
    public async Task Copy_InterruptedUpload_LeavesNothing()
    {
        using ToolProcess tool = ToolProcess.Start(Environment, "cp", "-", $"s3://{Bucket}/k", "--json");

        // More than the read-ahead of the tool and one part, so the upload has started. Its input stays open, so it can't complete.
        await tool.Input.WriteAsync(Sample.Bytes(Large)).Within();
        await tool.SignalAsync("INT");

        ToolOutcome outcome = (await tool.EndAsync()).Expect(130);
        Assert.Equal(0, outcome.Json.GetProperty("objects").GetInt32());
        Assert.Equal(0, await CountUnfinishedUploadsAsync());
    }
}
