using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Amazon.S3.Model;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Samples;

/// <summary>Requests to the FormUpload sample.</summary>
public sealed class FormUploadTests(FormUploadFixture sample) : IClassFixture<FormUploadFixture>, IDisposable
{
    private const string Boundary = "----boundary";

    public void Dispose()
    {
        sample.Server.SetFaults(null);
        sample.Server.ClearRequests();
    }

    /// <summary>The file is larger than the heap of the process, which has no folder for temporary files either.</summary>
    [Fact]
    public async Task Post_FileThatDoesNotFitIntoMemory_IsStored()
    {
        byte[] content = Sample.Bytes(FormUploadFixture.HeapBytes + (8 << 20));
        using MultipartFormDataContent form = new() { { new StringContent("a field"), "comment" }, { File(content, "video/x-test"), "file", "movie.mkv" } };

        JsonElement stored = Assert.Single(await PostAsync(form));

        Assert.Equal(content.Length, stored.GetProperty("bytes").GetInt64());
        using GetObjectResponse response = await sample.S3.GetObjectAsync(FormUploadFixture.Bucket, stored.GetProperty("key").GetString()).Within();
        Assert.Equal("video/x-test", response.Headers.ContentType);
        Assert.Equal(content, await ReadAsync(response));
        Assert.Equal(0, sample.Server.Statistics.OpenMultipartUploads);
    }

    [Fact]
    public async Task Post_SmallFile_IsOneRequest()
    {
        using MultipartFormDataContent form = new() { { File("small"u8.ToArray(), "text/plain"), "file", "small.txt" } };

        Assert.Single(await PostAsync(form));

        Assert.Equal(["PutObject"], sample.Server.Requests.Select(request => request.Operation));
    }

    [Fact]
    public async Task Post_TwoFiles_StoresBoth()
    {
        using MultipartFormDataContent form = new() { { File("one"u8.ToArray(), "text/plain"), "file", "same.txt" }, { File("two"u8.ToArray(), "text/plain"), "file", "same.txt" } };

        List<string> contents = [];
        foreach (JsonElement stored in await PostAsync(form))
        {
            using GetObjectResponse response = await sample.S3.GetObjectAsync(FormUploadFixture.Bucket, stored.GetProperty("key").GetString()).Within();
            contents.Add(Encoding.UTF8.GetString(await ReadAsync(response)));
        }

        Assert.Equal(["one", "two"], contents);
    }

    [Theory]
    [InlineData("../../etc/passwd", "passwd")]
    [InlineData(@"C:\Users\me\report.pdf", "report.pdf")]
    [InlineData("Grüße 🐈.txt", "Grüße 🐈.txt")]
    [InlineData("a\tb.txt", "ab.txt")]
    public async Task Post_NameOfFile_IsOnlyInTheDisposition(string given, string expected)
    {
        using HttpResponseMessage response = await PostAsync(Section($"form-data; name=\"file\"; filename=\"{given.Replace(@"\", @"\\", StringComparison.Ordinal)}\"", "text/html", "<script>") + End);

        JsonElement stored = Assert.Single(await ReadFilesAsync(response));
        string key = stored.GetProperty("key").GetString()!;
        using GetObjectResponse saved = await sample.S3.GetObjectAsync(FormUploadFixture.Bucket, key).Within();
        ContentDispositionHeaderValue disposition = ContentDispositionHeaderValue.Parse(saved.Headers.ContentDisposition);
        Assert.Equal(expected, stored.GetProperty("name").GetString());
        Assert.Equal(("attachment", expected), (disposition.DispositionType, disposition.FileNameStar));
        Assert.Matches("^samples/forms/[0-9a-f]{32}$", key);
    }

    [Fact]
    public async Task Post_InvalidContentTypeOfFile_BecomesBytes()
    {
        using HttpResponseMessage response = await PostAsync(Section("form-data; name=\"file\"; filename=\"a\"", "no type", "a") + End);

        Assert.Equal("application/octet-stream", Assert.Single(await ReadFilesAsync(response)).GetProperty("contentType").GetString());
    }

    [Fact]
    public async Task Post_NoFile_IsBadRequest()
    {
        using HttpResponseMessage fields = await PostAsync(Section("form-data; name=\"comment\"", "text/plain", "a") + End);
        using HttpResponseMessage unchosen = await PostAsync(Section("form-data; name=\"file\"; filename=\"\"", "application/octet-stream", "") + End);

        Assert.EachEqual((HttpStatusCode.BadRequest, HttpStatusCode.BadRequest), (fields.StatusCode, unchosen.StatusCode));
    }

    [Fact]
    public async Task Post_NoForm_IsUnsupported()
    {
        using HttpResponseMessage response = await sample.Http.PostAsync("files", new StringContent("{}", Encoding.UTF8, "application/json")).Within();

        Assert.Equal(HttpStatusCode.UnsupportedMediaType, response.StatusCode);
    }

    /// <summary>A form that ends in its second file leaves nothing of the first one.</summary>
    [Fact]
    public async Task Post_IncompleteForm_StoresNothing()
    {
        string first = Section("form-data; name=\"file\"; filename=\"a\"", "text/plain", "a");
        string second = Section("form-data; name=\"file\"; filename=\"b\"", "text/plain", new string('b', 100_000));

        using HttpResponseMessage response = await PostAsync(first + second);

        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        AssertNothingIsStored();
    }

    [Fact]
    public async Task Post_TooManyFiles_StoresNothing()
    {
        using HttpResponseMessage response = await PostAsync(string.Concat(Enumerable.Repeat(Section("form-data; name=\"file\"; filename=\"a\"", "text/plain", "a"), 11)) + End);

        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        AssertNothingIsStored();
    }

    [Fact]
    public async Task Post_TooLargeHeadersOfSection_IsBadRequest()
    {
        using HttpResponseMessage response = await PostAsync(Section($"form-data; name=\"file\"; filename=\"{new string('a', 5000)}\"", "text/plain", "a") + End);

        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
    }

    [Fact]
    public async Task Post_TooLargeForm_IsRefused()
    {
        using HttpRequestMessage request = new(HttpMethod.Post, "files") { Content = new StreamContent(Stream.Null) };
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse($"multipart/form-data; boundary={Boundary}");
        request.Content.Headers.ContentLength = FormUploadFixture.MaxFormBytes + 1;
        request.Headers.ExpectContinue = true; // nothing is sent before the server agrees

        using HttpResponseMessage response = await sample.Http.SendAsync(request).Within();

        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, response.StatusCode);
    }

    [Fact]
    public async Task Post_StoreFails_TellsNothingOfTheStore()
    {
        sample.Server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.InternalError) { Operation = "PutObject" }] });
        using MultipartFormDataContent form = new() { { File("a"u8.ToArray(), "text/plain"), "file", "a" } };

        using HttpResponseMessage response = await sample.Http.PostAsync("files", form).Within();

        Assert.Equal(HttpStatusCode.BadGateway, response.StatusCode);
        Assert.DoesNotContain(FormUploadFixture.Bucket, await response.Content.ReadAsStringAsync().Within(), StringComparison.Ordinal);
    }

    private static string End => $"--{Boundary}--\r\n";

    private static string Section(string disposition, string type, string content)
        => $"--{Boundary}\r\nContent-Disposition: {disposition}\r\nContent-Type: {type}\r\n\r\n{content}\r\n";

    private static ByteArrayContent File(byte[] content, string type) => new(content) { Headers = { ContentType = new MediaTypeHeaderValue(type) } };

    private static async Task<JsonElement[]> ReadFilesAsync(HttpResponseMessage response)
    {
        string body = await response.Content.ReadAsStringAsync().Within();
        Assert.True(response.StatusCode == HttpStatusCode.Created, $"{response.StatusCode}: {body}");
        return [.. JsonElement.Parse(body).EnumerateArray()];
    }

    private static async Task<byte[]> ReadAsync(GetObjectResponse response)
    {
        using MemoryStream content = new();
        await response.ResponseStream.CopyToAsync(content).Within();
        return content.ToArray();
    }

    private async Task<JsonElement[]> PostAsync(MultipartFormDataContent form)
    {
        using HttpResponseMessage response = await sample.Http.PostAsync("files", form).Within();
        return await ReadFilesAsync(response);
    }

    /// <summary>Sends a form as a browser does: with names in UTF-8.</summary>
    private async Task<HttpResponseMessage> PostAsync(string form)
    {
        using ByteArrayContent content = new(Encoding.UTF8.GetBytes(form));
        content.Headers.ContentType = MediaTypeHeaderValue.Parse($"multipart/form-data; boundary={Boundary}");
        return await sample.Http.PostAsync("files", content).Within();
    }

    private void AssertNothingIsStored()
    {
        string[] stored = [.. sample.Server.Requests.Where(request => request is { Operation: "PutObject", StatusCode: 200 }).Select(request => request.Key!)];
        string[] deleted = [.. sample.Server.Requests.Where(request => request.Operation == "DeleteObject").Select(request => request.Key!)];
        Assert.NotEmpty(stored);
        Assert.Equal(stored.Order(), deleted.Order());
        Assert.Equal(0, sample.Server.Statistics.OpenMultipartUploads);
    }
}
