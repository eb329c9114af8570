using System.Diagnostics;
using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>A headless browser with one page, controlled by the Chrome DevTools Protocol.</summary>
internal sealed class Chromium : IAsyncDisposable
{
    public const string Program = "chromium";
    private const string Announcement = "DevTools listening on ";
    private static readonly JsonSerializerOptions Json = new() { DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull };
    private readonly TemporaryFolder _profile = new();
    private readonly ClientWebSocket _socket = new();
    private readonly Process _process;
    private Task _rest = Task.CompletedTask;
    private string? _session;
    private int _lastId;

    private Chromium()
    {
        // The sandbox is turned off because it is not available in a container, and the pages are trusted.
        string[] arguments =
        [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--remote-debugging-port=0", $"--user-data-dir={_profile.Path}", "about:blank",
        ];
        _process = Process.Start(new ProcessStartInfo(Program, arguments) { UseShellExecute = false, RedirectStandardError = true, RedirectStandardOutput = true })!;
    }

    /// <summary>Gets the events of the page since it was opened, with their names and parameters.</summary>
    public List<(string Method, JsonElement Parameters)> Events { get; } = [];

    public static async Task<Chromium> StartAsync()
    {
        Chromium browser = new();
        try
        {
            await browser.ConnectAsync();
            return browser;
        }
        catch
        {
            await browser.DisposeAsync();
            throw;
        }
    }

    /// <summary>Opens a file in a screen of the given size, and waits until it is shown.</summary>
    public async Task OpenAsync(string path, int width, int height, bool isDark)
    {
        await SendAsync("Emulation.setDeviceMetricsOverride", new { width, height, deviceScaleFactor = 1, mobile = width < 600 });
        await EmulateAsync("screen", isDark);
        Events.Clear();
        await SendAsync("Page.navigate", new { url = new Uri(path).AbsoluteUri });
        while (!Events.Exists(told => told.Method == "Page.loadEventFired"))
        {
            await ReceiveAsync();
        }
    }

    public Task EmulateAsync(string media, bool isDark)
        => SendAsync("Emulation.setEmulatedMedia", new { media, features = new[] { new { name = "prefers-color-scheme", value = isDark ? "dark" : "light" } } });

    /// <summary>Returns the result of a script.</summary>
    public async Task<JsonElement> EvaluateAsync(string script)
    {
        JsonElement answer = await SendAsync("Runtime.evaluate", new { expression = script, returnByValue = true, awaitPromise = true });
        Assert.False(answer.TryGetProperty("exceptionDetails", out JsonElement failure), failure.ToString());
        return answer.GetProperty("result").TryGetProperty("value", out JsonElement value) ? value : default;
    }

    /// <summary>Chooses a file in an input of the page, as a person would.</summary>
    public async Task ChooseFileAsync(string selector, string path)
    {
        JsonElement input = await SendAsync("Runtime.evaluate", new { expression = $"document.querySelector('{selector}')" });
        await SendAsync("DOM.setFileInputFiles", new { objectId = input.GetProperty("result").GetProperty("objectId").GetString(), files = new[] { path } });
    }

    /// <summary>Returns a screenshot of the whole page, as PNG.</summary>
    public async Task<byte[]> PictureAsync()
        => (await SendAsync("Page.captureScreenshot", new { captureBeyondViewport = true })).GetProperty("data").GetBytesFromBase64();

    public async Task<JsonElement> SendAsync(string method, object parameters)
    {
        int id = ++_lastId;
        await _socket.SendAsync(JsonSerializer.SerializeToUtf8Bytes(new { id, method, @params = parameters, sessionId = _session }, Json), WebSocketMessageType.Text, true, default).Within();
        while (true)
        {
            JsonElement message = await ReceiveAsync();
            if (message.TryGetProperty("id", out JsonElement answered) && answered.GetInt32() == id)
            {
                Assert.False(message.TryGetProperty("error", out JsonElement error), $"{method}: {error}");
                return message.GetProperty("result");
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        _socket.Dispose();
        _process.Kill(entireProcessTree: true);
        await _process.WaitForExitAsync().Within();
        await _rest.Within();
        _process.Dispose();
        _profile.Dispose();
    }

    private async Task ConnectAsync()
    {
        StringBuilder said = new();
        string? line;
        do
        {
            line = await _process.StandardError.ReadLineAsync().Within();
            said.AppendLine(line);
        }
        while (line?.StartsWith(Announcement, StringComparison.Ordinal) == false);
        Assert.True(line is not null, $"{Program} exited:\n{said}");
        _rest = Task.WhenAll(_process.StandardError.ReadToEndAsync(), _process.StandardOutput.ReadToEndAsync()); // otherwise, its messages about a missing desktop would fill the pipe
        await _socket.ConnectAsync(new Uri(line[Announcement.Length..]), default).Within();
        JsonElement targets = await SendAsync("Target.getTargets", new { });
        string page = targets.GetProperty("targetInfos").EnumerateArray().First(target => target.GetProperty("type").GetString() == "page").GetProperty("targetId").GetString()!;
        _session = (await SendAsync("Target.attachToTarget", new { targetId = page, flatten = true })).GetProperty("sessionId").GetString();
        foreach (string domain in (string[])["Page", "Runtime", "Log", "Network"])
        {
            await SendAsync(domain + ".enable", new { });
        }
    }

    private async Task<JsonElement> ReceiveAsync()
    {
        using MemoryStream text = new();
        byte[] buffer = new byte[64 << 10];
        ValueWebSocketReceiveResult received;
        do
        {
            received = await _socket.ReceiveAsync(buffer.AsMemory(), default).Within();
            text.Write(buffer, 0, received.Count);
        }
        while (!received.EndOfMessage);

        using JsonDocument document = JsonDocument.Parse(text.ToArray());
        JsonElement message = document.RootElement.Clone();
        if (message.TryGetProperty("method", out JsonElement method))
        {
            Events.Add((method.GetString()!, message.GetProperty("params")));
        }

        return message;
    }
}
