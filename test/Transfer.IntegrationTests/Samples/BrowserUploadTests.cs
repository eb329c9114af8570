using System.Net.Http.Json;
using System.Text.Json;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.IntegrationTests.Transfers;

namespace Transfer.S3.IntegrationTests.Samples;

/// <summary>The BrowserUpload sample in a browser: the page uploads to the store, and the sample only signs and completes.</summary>
public sealed class BrowserUploadTests : TransferSuite
{
    private const long Length = 100 << 20;

    [ProgramFact(Chromium.Program)]
    public Task EmbeddedServer_InterruptedUploadContinuesAfterAReload() => InterruptAsync(Store.Embedded);

    [ProgramFact(Chromium.Program)]
    public Task Minio_InterruptedUploadContinuesAfterAReload() => MinioStore.Endpoint is null ? Task.CompletedTask : InterruptAsync(Store.Minio);

    private async Task InterruptAsync(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        if (store is EmbeddedStore)
        {
            await AllowBrowsersAsync(store); // MinIO does so by itself
        }

        string path = NewFile("a film.mkv", Length);
        using SampleProcess sample = SampleProcess.Start("BrowserUpload", EnvironmentOf(store), "--urls", "http://127.0.0.1:0");
        string line = await sample.ReadLineWithAsync(static line => line.Contains("Now listening on: ", StringComparison.Ordinal));
        string page = line.Split("Now listening on: ")[1].Trim();
        await using Chromium browser = await Chromium.StartAsync();

        await browser.OpenAsync(page, 800, 600, isDark: false);
        await browser.ChooseFileAsync("#file", path);
        JsonElement paused = await browser.EvaluateAsync(
            """
            new Promise((resolve) => {
              const status = document.getElementById("status");
              const progress = document.getElementById("progress");
              new MutationObserver(() => {
                if (status.textContent.startsWith("Paused") || status.className === "error") resolve(status.textContent);
                else if (progress.value >= 0.2) document.getElementById("pause").click();
              }).observe(status, { childList: true });
              document.getElementById("start").click();
            })
            """);
        Assert.StartsWith("Paused", paused.GetString(), StringComparison.Ordinal);
        Assert.Single(await store.OpenUploadsAsync());
        string ticket = (await browser.EvaluateAsync("localStorage.getItem(localStorage.key(0))")).GetString()!;

        await browser.OpenAsync(page, 800, 600, isDark: false);
        await browser.ChooseFileAsync("#file", path);
        Assert.Equal("Resume", (await browser.EvaluateAsync("document.getElementById('start').textContent")).GetString());
        JsonElement ended = await browser.EvaluateAsync(
            """
            new Promise((resolve) => {
              const status = document.getElementById("status");
              const seen = [];
              new MutationObserver(() => {
                seen.push(document.getElementById("progress").value);
                if (status.textContent === "Uploaded." || status.className === "error") {
                  setTimeout(() => resolve({ first: seen[0], text: status.textContent, verdict: document.getElementById("verdict").textContent, url: document.getElementById("link").href }));
                }
              }).observe(status, { childList: true });
              document.getElementById("start").click();
            })
            """);

        Assert.Equal("Uploaded.", ended.GetProperty("text").GetString());
        Assert.StartsWith("verified, SHA-256 ", ended.GetProperty("verdict").GetString(), StringComparison.Ordinal);
        Assert.InRange(ended.GetProperty("first").GetDouble(), 0.15, 0.9); // what was sent before the reload wasn't sent again
        Assert.Empty(await store.OpenUploadsAsync());
        S3Object stored = Assert.Single((await store.S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = store.Bucket })).S3Objects);
        VerifyResult verified = await Client(store).VerifyAsync(path, store.Bucket, stored.Key).Within();
        Assert.True(verified.IsSame, verified.ToString());
        using MemoryStream downloaded = new();
        await Client(store).DownloadAsync(new Uri(ended.GetProperty("url").GetString()!), downloaded).Within();
        Assert.Equal(Length, downloaded.Length);
        Assert.DoesNotContain(browser.Events, told => told.Method == "Runtime.exceptionThrown");

        // If the browser doesn't receive the response, it asks again, and gets the same object.
        using HttpClient http = new() { BaseAddress = new Uri(page) };
        JsonElement missing = await PostAsync(http, "/uploads/missing", ticket);
        Assert.Empty(missing.GetProperty("parts").EnumerateArray());
        JsonElement again = await PostAsync(http, "/uploads/complete", ticket);
        Assert.Equal(stored.Key, again.GetProperty("key").GetString());
    }

    private static async Task<JsonElement> PostAsync(HttpClient http, string path, string ticket)
    {
        using HttpResponseMessage response = await http.PostAsJsonAsync(path, new { ticket });
        response.EnsureSuccessStatusCode();
        return await response.Content.ReadFromJsonAsync<JsonElement>();
    }

    private static async Task AllowBrowsersAsync(Store store) => await store.S3.PutCORSConfigurationAsync(new PutCORSConfigurationRequest
    {
        BucketName = store.Bucket,
        Configuration = new CORSConfiguration { Rules = [new CORSRule { AllowedOrigins = ["*"], AllowedMethods = ["PUT"], AllowedHeaders = ["*"] }] },
    });

    private static Dictionary<string, string> EnvironmentOf(Store store)
    {
        if (store is EmbeddedStore embedded)
        {
            return SampleProcess.EnvironmentOf(embedded.Server, store.Bucket);
        }

        return new Dictionary<string, string>
        {
            ["S3_ENDPOINT"] = MinioStore.Endpoint!,
            ["S3_BUCKET"] = store.Bucket,
            ["AWS_ACCESS_KEY_ID"] = Environment.GetEnvironmentVariable("AWS_ACCESS_KEY_ID")!,
            ["AWS_SECRET_ACCESS_KEY"] = Environment.GetEnvironmentVariable("AWS_SECRET_ACCESS_KEY")!,
        };
    }
}
