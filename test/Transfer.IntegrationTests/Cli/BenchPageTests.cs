using System.Text.Json;
using Transfer.S3.Bench.Report;
using Transfer.S3.Bench.Results;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Tests.Bench;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Opens the page of transfer bench --html in a browser. With TRANSFER_PICTURES=FOLDER, it saves a screenshot of each page.</summary>
public sealed class BenchPageTests : IDisposable
{
    private const long MiB = SampleReports.MiB;

    /// <summary>The screen sizes of a phone and a desktop.</summary>
    private static readonly (int Width, int Height)[] Screens = [(390, 844), (1280, 900)];

    private static readonly (string Name, BenchReport Report)[] Pages =
    [
        ("sweep", SampleReports.Sweep([1_000_000, 4_000_000, 8 * MiB, 16 * MiB, 64 * MiB, 256 * MiB], [1, 4, 16, 64, 256, null])),
        ("two-sizes", WithComparison(SampleReports.Sweep([8 * MiB, 64 * MiB], [1, 2, 4, 8, 16]))),
        ("head", SampleReports.Sweep([null], [1, 4, 16, 64], operation: "head")),
        ("one-setting", SampleReports.Sweep([8 * MiB], [null])),
        ("errors", WithEveryWarning()),
    ];

    private readonly TemporaryFolder _folder = new();

    [ProgramFact(Chromium.Program)]
    public async Task Page_OnPhoneAndDesktopInLightAndDarkMode_IsCompleteAndReadable()
    {
        await using Chromium browser = await Chromium.StartAsync();
        foreach ((string name, BenchReport report) in Pages)
        {
            string path = await WriteAsync(name, report);
            foreach ((int width, int height) in Screens)
            {
                foreach (bool isDark in (bool[])[false, true])
                {
                    string where = $"{name}-{width}-{(isDark ? "dark" : "light")}";
                    await browser.OpenAsync(path, width, height, isDark);
                    await SaveScreenshotAsync(browser, where);
                    AssertQuiet(browser, where);
                    await AssertFitsAsync(browser, where, width);
                    await AssertReadableAsync(browser, where, isDark);
                }
            }
        }
    }

    [ProgramFact(Chromium.Program)]
    public async Task Page_UserInput_ChangesColorsShowsValuesAndCopies()
    {
        await using Chromium browser = await Chromium.StartAsync();
        string path = await WriteAsync("page", Pages[1].Report);
        await browser.OpenAsync(path, 1280, 900, isDark: false);

        string light = await BackgroundAsync(browser);
        await browser.EvaluateAsync("document.getElementById('theme').click()");
        string dark = await BackgroundAsync(browser);
        await browser.EvaluateAsync("document.getElementById('theme').click()");
        Assert.NotEqual(light, dark);
        Assert.Equal(light, await BackgroundAsync(browser));

        JsonElement center = await browser.EvaluateAsync(
            "(() => { const mark = document.querySelector('#rate svg.wide .hit'); mark.scrollIntoView({ block: 'center' }); const box = mark.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()");
        await browser.SendAsync("Input.dispatchMouseEvent", new { type = "mouseMoved", x = center[0].GetDouble(), y = center[1].GetDouble() });
        JsonElement tip = await browser.EvaluateAsync("(() => { const tip = document.getElementById('tip'); return { hidden: tip.hidden, text: tip.textContent }; })()");
        Assert.False(tip.GetProperty("hidden").GetBoolean());
        Assert.StartsWith("8MiB × 1: ", tip.GetProperty("text").GetString(), StringComparison.Ordinal);
        await SaveScreenshotAsync(browser, "tip");

        await browser.EvaluateAsync("document.getElementById('copy').click()");
        Assert.Equal(Pages[1].Report.Advice, (await browser.EvaluateAsync("getSelection().toString()")).GetString());
        AssertQuiet(browser, "after user input");
    }

    [ProgramFact(Chromium.Program)]
    public async Task Page_Printed_IsLightAndShowsCollapsedDetails()
    {
        await using Chromium browser = await Chromium.StartAsync();
        await browser.OpenAsync(await WriteAsync("page", Pages[1].Report), 718, 1000, isDark: true); // A4 without its margins
        await browser.EmulateAsync("print", isDark: true);
        await SaveScreenshotAsync(browser, "paper");

        Assert.Equal("rgb(253, 253, 251)", await BackgroundAsync(browser));
        JsonElement shown = await browser.EvaluateAsync(
            "({ width: document.documentElement.scrollWidth, buttons: [...document.querySelectorAll('button')].filter(one => one.offsetHeight > 0).length, tables: [...document.querySelectorAll('details table')].map(one => one.offsetHeight) })");
        Assert.InRange(shown.GetProperty("width").GetInt32(), 1, 718);
        Assert.Equal(0, shown.GetProperty("buttons").GetInt32());
        Assert.Equal(3, shown.GetProperty("tables").GetArrayLength());
        Assert.All(shown.GetProperty("tables").EnumerateArray(), height => Assert.True(height.GetInt32() > 40));
    }

    public void Dispose() => _folder.Dispose();

    private static string? PictureFolder => Environment.GetEnvironmentVariable("TRANSFER_PICTURES");

    private static BenchReport WithComparison(BenchReport report) => report with { Comparison = Comparison.Compare(SampleReports.Sweep([8 * MiB, 64 * MiB], [1, 16], runs: 2), report) };

    /// <summary>Creates a report with every kind of warning and error, and with a long name that contains markup.</summary>
    private static BenchReport WithEveryWarning() => SampleReports.Of(
        "get", SampleReports.Setting(8 * MiB, 4, SampleReports.Failed(1), SampleReports.Failed(2)), SampleReports.Setting(8 * MiB, 16, SampleReports.Failed(1)) with { CpuSaturated = true }) with
    {
        Interrupted = true,
        Objects = new BenchObjects("bucket", $"<script>alert(1)</script>/{new string('x', 300)}", Generated: false, 1, 1, 1),
        Errors = [new BenchError($"</script><img src=x onerror=alert(1)>{new string('y', 300)}", new string('z', 200), "4711")],
    };

    private static void AssertQuiet(Chromium browser, string where)
    {
        string[] complaints = ["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"];
        Assert.True(!browser.Events.Exists(told => complaints.Contains(told.Method)), $"{where}: {string.Join('\n', browser.Events.Where(told => complaints.Contains(told.Method)))}");
        string[] asked = [.. browser.Events.Where(told => told.Method == "Network.requestWillBeSent").Select(told => told.Parameters.GetProperty("request").GetProperty("url").GetString()!)];
        Assert.EndsWith("html", Assert.Single(asked), StringComparison.Ordinal);
    }

    private static async Task AssertFitsAsync(Chromium browser, string where, int width)
    {
        JsonElement page = await browser.EvaluateAsync(
            """
            (() => {
              const shown = [...document.querySelectorAll('svg')].filter(svg => getComputedStyle(svg).display !== 'none');
              const inside = svg => [...svg.querySelectorAll('text')].filter(text => { const a = text.getBoundingClientRect(), b = svg.getBoundingClientRect(); return a.left < b.left - 1 || a.right > b.right + 1; });
              return {
                width: document.documentElement.scrollWidth,
                charts: shown.filter(svg => svg.getAttribute('role') === 'img').length,
                empty: shown.filter(svg => svg.getBoundingClientRect().width < 20 || svg.getBoundingClientRect().height < 10).length,
                outside: shown.flatMap(inside).map(text => text.textContent),
                buttons: [...document.querySelectorAll('button')].filter(button => button.hidden).length,
              };
            })()
            """);
        Assert.True(page.GetProperty("width").GetInt32() <= width, $"{where} is {page.GetProperty("width")} wide");
        Assert.True(page.GetProperty("charts").GetInt32() >= 2, $"{where} shows {page.GetProperty("charts")} charts");
        Assert.True(page.GetProperty("empty").GetInt32() == 0, $"{where} has charts without a size");
        Assert.True(page.GetProperty("outside").GetArrayLength() == 0, $"{where}: elements outside of their chart: {page.GetProperty("outside")}");
        Assert.Equal(0, page.GetProperty("buttons").GetInt32());
    }

    /// <summary>Asserts that all text and all marks have the contrast that WCAG 2.2 requires (1.4.3, AA, and 1.4.11).</summary>
    private static async Task AssertReadableAsync(Chromium browser, string where, bool isDark)
    {
        JsonElement page = await browser.EvaluateAsync(
            """
            (() => {
              const canvas = document.createElement('canvas');
              canvas.width = canvas.height = 1;
              const paint = canvas.getContext('2d', { willReadFrequently: true });
              const channels = color => { paint.clearRect(0, 0, 1, 1); paint.fillStyle = color; paint.fillRect(0, 0, 1, 1); return [...paint.getImageData(0, 0, 1, 1).data]; };
              const luminance = color => {
                const [r, g, b] = channels(color).map(value => value / 255).map(value => value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4);
                return .2126 * r + .7152 * g + .0722 * b;
              };
              const background = element => { for (; element; element = element.parentElement) { const color = getComputedStyle(element).backgroundColor; if (channels(color)[3] === 255) return color; } };
              const contrast = (one, other) => { const [a, b] = [luminance(one), luminance(other)].sort((x, y) => y - x); return (a + .05) / (b + .05); };
              const faint = [];
              let seen = 0;
              for (const element of document.body.querySelectorAll('*')) {
                const text = [...element.childNodes].filter(node => node.nodeType === 3).map(node => node.data.trim()).join('');
                const isMark = element.matches('.mark, .line, .range');
                if ((!text && !isMark) || element.tagName === 'SCRIPT') continue;
                const style = getComputedStyle(element);
                const color = element.matches('svg text') ? style.fill : style.color;
                const ratio = contrast(color, background(element));
                seen++;
                if (ratio < (isMark ? 3 : 4.5)) faint.push(`${text || element.getAttribute('class')}: ${ratio.toFixed(2)}`);
              }
              return { seen, faint, background: luminance(getComputedStyle(document.body).backgroundColor) };
            })()
            """);
        Assert.True(page.GetProperty("seen").GetInt32() > 30, where);
        Assert.True(page.GetProperty("faint").GetArrayLength() == 0, $"{where}: the contrast is too low: {page.GetProperty("faint")}");
        Assert.Equal(isDark, page.GetProperty("background").GetDouble() < 0.1);
    }

    private static async Task<string> BackgroundAsync(Chromium browser) => (await browser.EvaluateAsync("getComputedStyle(document.body).backgroundColor")).GetString()!;

    private static async Task SaveScreenshotAsync(Chromium browser, string name)
    {
        if (PictureFolder is { } folder)
        {
            await File.WriteAllBytesAsync(Path.Combine(folder, name + ".png"), await browser.PictureAsync());
        }
    }

    private async Task<string> WriteAsync(string name, BenchReport report)
    {
        string path = _folder.File(name + ".html");
        await File.WriteAllTextAsync(path, HtmlReport.Render(report));
        if (PictureFolder is { } folder)
        {
            File.Copy(path, Path.Combine(folder, name + ".html"), overwrite: true);
        }

        return path;
    }
}
