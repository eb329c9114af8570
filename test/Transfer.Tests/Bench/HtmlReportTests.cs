using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Xml;
using System.Xml.Linq;
using Transfer.S3.Bench.Report;
using Transfer.S3.Bench.Results;
using static Transfer.S3.Tests.Bench.SampleReports;

namespace Transfer.S3.Tests.Bench;

public sealed class HtmlReportTests
{
    public static TheoryData<string> Cases => [.. All.Keys];

    private static readonly Dictionary<string, BenchReport> All = new()
    {
        ["sweep of 36"] = Sweep([1_000_000, 4_000_000, 8 * MiB, 16 * MiB, 64 * MiB, 256 * MiB], [1, 4, 16, 64, 256, null]),
        ["one part size"] = Sweep([8 * MiB], [1, 4, 16, 64]),
        ["one setting"] = Sweep([8 * MiB], [null]),
        ["one run"] = Sweep([8 * MiB, 64 * MiB], [4, 16], runs: 1),
        ["many runs"] = Sweep([8 * MiB], [4], runs: 20),
        ["head"] = Sweep([null], [1, 16, null], operation: "head"),
        ["errors only"] = Of("get", Setting(8 * MiB, 4, Failed(1), Failed(2)), Setting(8 * MiB, 16, Failed(1))) with { Errors = [new BenchError("a<b>&", "denied", "id")] },
        ["nothing"] = Of("get"),
        ["more part sizes than colors"] = Sweep([.. Enumerable.Range(1, 12).Select(i => (long?)i * MiB)], [2]),
        ["no samples"] = Of("get", Setting(8 * MiB, 4, Failed(1) with { Samples = [], Seconds = 0 })),
        ["interrupted"] = Of("put", [.. Sweep([8 * MiB, 16 * MiB], [4, 16]).Settings.Take(3)]) with { Interrupted = true },
        ["compared"] = Comparison.Compare(Sweep([8 * MiB], [4, 16]), Sweep([8 * MiB], [4, 16, 64])) is var comparison ? Sweep([8 * MiB], [4, 16, 64]) with { Comparison = comparison } : null!,
    };

    [Theory]
    [MemberData(nameof(Cases))]
    public void Page_IsWellFormedAndLoadsNothing(string name)
    {
        string html = HtmlReport.Render(All[name]);
        XElement root = Parse(html);

        string[] brings = ["src", "href", "srcset", "action", "data", "background", "style"];
        Assert.DoesNotContain(root.DescendantsAndSelf().Attributes(), attribute => brings.Contains(attribute.Name.LocalName) || attribute.Name.LocalName.StartsWith("on", StringComparison.Ordinal));
        Assert.DoesNotContain("url(", html, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("@import", html, StringComparison.OrdinalIgnoreCase);
        string[] ids = [.. root.Descendants().Attributes("id").Select(id => id.Value)];
        Assert.Equal(ids.Distinct(), ids);
        Assert.All(root.Descendants().Attributes("aria-labelledby"), reference => Assert.Contains(reference.Value, ids));
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Coordinates_AreNumbersWithinTheChart(string name)
    {
        foreach (XElement svg in Parse(HtmlReport.Render(All[name])).Descendants("svg"))
        {
            Assert.True(svg.Attribute("role")?.Value == "img" ? svg.Attribute("aria-label")?.Value.Length > 10 : svg.Attribute("aria-hidden")?.Value == "true");
            double[] box = [.. svg.Attribute("viewBox")!.Value.Split(' ').Select(Number)];
            Assert.True(box[2] > 0 && box[3] > 0);
            foreach (XAttribute attribute in svg.Descendants().Attributes())
            {
                Assert.DoesNotContain("NaN", attribute.Value, StringComparison.Ordinal);
                Assert.DoesNotContain("∞", attribute.Value, StringComparison.Ordinal);
                if (attribute.Name.LocalName is "x" or "cx")
                {
                    Assert.InRange(Number(attribute.Value), 0, box[2]);
                }
                else if (attribute.Name.LocalName is "y" or "cy")
                {
                    Assert.InRange(Number(attribute.Value), 0, box[3]);
                }
            }
        }
    }

    [Fact]
    public void ContentSecurityPolicy_ContainsTheDigestsOfStyleAndScript()
    {
        XElement root = Parse(HtmlReport.Render(All["one setting"]));
        string policy = root.Descendants("meta").Single(meta => meta.Attribute("http-equiv")?.Value == "Content-Security-Policy").Attribute("content")!.Value;

        Assert.StartsWith("default-src 'none'; ", policy, StringComparison.Ordinal);
        Assert.Contains($"style-src 'sha256-{Digest(root.Descendants("style").Single().Value)}'", policy, StringComparison.Ordinal);
        Assert.Contains($"script-src 'sha256-{Digest(root.Descendants("script").Single().Value)}'", policy, StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", policy, StringComparison.Ordinal);

        static string Digest(string text) => Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)));
    }

    [Fact]
    public void Names_WithMarkup_AreEscaped()
    {
        const string Hostile = "\"'></title><script>alert(1)</script>&amp;]]>\u0000\ud800<!--";
        BenchReport report = All["one part size"] with
        {
            Objects = new BenchObjects("b<i>", Hostile, Generated: false, 1, 1, 1),
            Store = Hostile,
            ToolVersion = Hostile,
            Errors = [new BenchError(Hostile, Hostile, Hostile)],
            Client = new BenchClient(1, CpuSaturated: true, 1, Hostile, Hostile),
        };
        XElement root = Parse(HtmlReport.Render(report));

        Assert.Single(root.Descendants("script"));
        Assert.Single(root.Descendants("title"));
        Assert.Empty(root.Descendants("i"));
        string shown = Hostile.Replace("\u0000", "\\u0000", StringComparison.Ordinal).Replace('\ud800', '\ufffd');
        Assert.Equal($"s3://b<i>/{shown}", root.Descendants("h1").Single().Value);
        Assert.Contains(root.Descendants("td"), cell => cell.Value == shown);
    }

    [Fact]
    public void Sweep_HasAMarkForEachSettingInEachLayout()
    {
        XElement rate = Section(All["sweep of 36"], "rate");
        foreach (string layout in (string[])["wide", "narrow"])
        {
            XElement svg = rate.Descendants("svg").Single(one => one.Attribute("class")?.Value == layout);
            Assert.Equal(36, svg.Descendants("g").Count());
            Assert.Equal(6, svg.Descendants("polyline").Count());
            Assert.Equal(["best", "knee"], svg.Descendants("text").Select(text => text.Value.Split(' ')[0]).Where(text => text is "best" or "knee").Order());
        }

        Assert.Equal(["1MB", "4MB", "8MiB", "16MiB", "64MiB", "256MiB"], rate.Descendants("li").Select(item => item.Value.Trim()));
    }

    [Fact]
    public void HeatMap_IsATableOfTheSweep()
    {
        XElement table = Section(All["sweep of 36"], "sweep").Descendants("table").Single();

        Assert.Equal(["part size", "1", "4", "16", "64", "256", "auto"], table.Element("thead")!.Descendants("th").Select(cell => cell.Value));
        Assert.Equal(6, table.Element("tbody")!.Elements("tr").Count());
        Assert.Equal(36, table.Descendants("td").Count());
        XElement best = Assert.Single(table.Descendants("td"), cell => cell.Value.Contains("best", StringComparison.Ordinal));
        Assert.Contains(" h9 ", best.Attribute("class")!.Value, StringComparison.Ordinal);
        Assert.Contains(table.Descendants("td"), cell => cell.Attribute("class")!.Value.Contains("h0", StringComparison.Ordinal));
    }

    [Fact]
    public void HeatMap_InterruptedSweep_HasEmptyCells()
        => Assert.Equal(["–"], Section(All["interrupted"], "sweep").Descendants("td").Where(cell => cell.Attribute("class") is null).Select(cell => cell.Value));

    [Fact]
    public void HeatMap_OneSetting_IsOmitted()
        => Assert.DoesNotContain(Parse(HtmlReport.Render(All["one setting"])).Descendants("section"), section => section.Attribute("id")!.Value == "sweep");

    [Fact]
    public void Answer_IsTheRecommendation()
    {
        XElement answer = Section(All["sweep of 36"], "answer");
        Assert.Equal(All["sweep of 36"].Advice, answer.Descendants("code").Single().Value);
        Assert.Equal(["best", "knee", "request, P50", "first byte, P50"], answer.Descendants("dt").Select(term => term.Value));
    }

    [Theory]
    [InlineData("errors only")]
    [InlineData("nothing")]
    public void Answer_NoTransferSucceeded_RecommendsNothing(string name)
    {
        XElement answer = Section(All[name], "answer");
        Assert.Empty(answer.Descendants("code"));
        Assert.Contains("No transfer succeeded", answer.Value, StringComparison.Ordinal);
    }

    [Fact]
    public void Answer_MachineWasTheLimit_SaysSo()
    {
        BenchReport report = Of("get", Setting(8 * MiB, 4, 3, new Random(17)) with { CpuSaturated = true });
        Assert.Contains("This machine limited --part-size 8MiB --concurrency 4: its 8 cores were busy", Section(report, "answer").Value, StringComparison.Ordinal);
    }

    [Fact]
    public void Head_ShowsRequestsPerSecond()
    {
        XElement root = Parse(HtmlReport.Render(All["head"]));
        Assert.Equal("Requests per second by concurrency", root.Descendants("h2").ElementAt(1).Value);
        Assert.Equal("requests/s", Section(All["head"], "sweep").Descendants("th").Last().Value);
        Assert.Empty(Section(All["head"], "rate").Descendants("li"));
    }

    [Fact]
    public void Latency_HasARowForEachSettingAndATableOfPercentiles()
    {
        XElement latency = Section(All["one part size"], "latency");
        Assert.All(latency.Descendants("svg"), svg => Assert.Equal(4, svg.Descendants("g").Count()));
        Assert.Equal(2, latency.Descendants("table").Count());
        Assert.All(latency.Descendants("table"), table => Assert.Equal(
            ["part size × concurrency", "min", "mean", "P50", "P90", "P95", "P99", "P99.9", "max"], table.Descendants("th").Take(9).Select(cell => cell.Value)));
        Assert.Equal(2, Section(All["errors only"], "latency").Descendants("p").Count(text => text.Value.StartsWith("No request succeeded", StringComparison.Ordinal)));
    }

    [Fact]
    public void Latency_SeveralKindsOfRequests_AreListedSeparately()
    {
        SettingResult setting = Setting(null, 4, 1, new Random(17));
        BenchReport report = Of("small", setting with { Requests = [setting.Requests[0], setting.Requests[0] with { Kind = "PutObject" }] });
        Assert.Equal(["all", "GetObject", "PutObject"], Section(report, "latency").Descendants("table").First().Descendants("tr").Skip(1).Select(row => row.Elements("td").First().Value));
    }

    [Fact]
    public void RateOverTime_HasALineForEachOfTheFirstRuns()
    {
        Assert.Equal(3 * 4, Section(All["one part size"], "time").Descendants("path").Count(path => path.Attribute("class")!.Value.StartsWith("step", StringComparison.Ordinal)));
        XElement many = Section(All["many runs"], "time");
        Assert.Equal(RunChart.MostRuns, many.Descendants("path").Count(path => path.Attribute("class")!.Value.StartsWith("step", StringComparison.Ordinal)));
        Assert.Contains("Only the first 8 runs are drawn", many.Value, StringComparison.Ordinal);
        Assert.Equal(20, many.Descendants("tbody").Single().Elements("tr").Count());
    }

    [Fact]
    public void Thin_KeepsTheTransferredBytes()
    {
        (double End, double Rate)[] steps = [.. Enumerable.Range(1, 599).Select(i => (i * 0.2, i % 7 * 10.0))];
        List<(double End, double Rate)> thin = RunChart.Thin(steps);

        Assert.InRange(thin.Count, 50, 100);
        Assert.Equal(steps[^1].End, thin[^1].End);
        Assert.Equal(Moved(steps), Moved(thin), 6);
        Assert.Equal([(1.0, 5.0)], RunChart.Thin([(1.0, 5.0)]));

        static double Moved(IEnumerable<(double End, double Rate)> steps)
        {
            (double moved, double began) = (0, 0);
            foreach ((double end, double rate) in steps)
            {
                moved += rate * (end - began);
                began = end;
            }

            return moved;
        }
    }

    [Fact]
    public void Comparison_IsATable()
    {
        XElement section = Section(All["compared"], "comparison");
        Assert.Equal(2, section.Descendants("tbody").Single().Elements("tr").Count());
        Assert.All(section.Descendants("tbody").Single().Elements("tr"), row => Assert.Contains(row.Elements("td").First().Value, (string[])["better", "worse", "noise"]));
    }

    private static XElement Section(BenchReport report, string id)
        => Parse(HtmlReport.Render(report)).Descendants("section").Single(section => section.Attribute("id")!.Value == id);

    private static XElement Parse(string html)
    {
        using XmlReader reader = XmlReader.Create(new StringReader(html), new XmlReaderSettings { DtdProcessing = DtdProcessing.Ignore });
        return XDocument.Load(reader, LoadOptions.PreserveWhitespace).Root!;
    }

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
