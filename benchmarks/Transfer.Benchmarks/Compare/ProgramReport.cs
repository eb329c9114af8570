using System.Globalization;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The line with which another transfer manager reports a run, such as <c>crt get n 1024 secs 0.5 cpu 0.25 MiB/s 2 rss MiB 85</c>.</summary>
/// <param name="Bytes">The transferred bytes.</param>
/// <param name="Seconds">The elapsed time.</param>
/// <param name="CpuSeconds">The CPU time of the client.</param>
internal readonly record struct ProgramReport(long Bytes, double Seconds, double CpuSeconds)
{
    /// <summary>Parses the output of a program. The last line counts, because earlier runs are the warm-up.</summary>
    /// <exception cref="FormatException">The output has no such line.</exception>
    public static ProgramReport Parse(string output)
    {
        string line = output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).LastOrDefault() ?? string.Empty;
        string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return new ProgramReport((long)Number("n"), Number("secs"), Number("cpu"));

        double Number(string name)
        {
            int index = Array.IndexOf(words, name);
            return index >= 0 && index + 1 < words.Length && double.TryParse(words[index + 1], CultureInfo.InvariantCulture, out double value)
                ? value
                : throw new FormatException($"The report of the program has no number \"{name}\": {line}");
        }
    }
}
