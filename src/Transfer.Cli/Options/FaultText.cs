using System.Globalization;
using Transfer.S3.Server;

namespace Transfer.S3.Cli.Options;

/// <summary>Parses faults of the embedded server: <c>slow-down=0.05</c>.</summary>
internal static class FaultText
{
    public static string Accepted { get; } = $"NAME=PROBABILITY, with a probability from 0 to 1 and one of the names {string.Join(", ", Enum.GetValues<ServerFault>().Select(static fault => EnumText.Name(fault)))}";

    public static bool TryParse(string text, out KeyValuePair<ServerFault, double> fault)
    {
        fault = default;
        int split = text.IndexOf('=', StringComparison.Ordinal);
        if (split < 0
            || !double.TryParse(text.AsSpan(split + 1), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double probability)
            || probability is not (>= 0 and <= 1)
            || !EnumText.TryParse(text[..split], out ServerFault name))
        {
            return false;
        }

        fault = new KeyValuePair<ServerFault, double>(name, probability);
        return true;
    }
}
