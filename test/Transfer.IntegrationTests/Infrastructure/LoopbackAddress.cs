using System.Globalization;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>Returns loopback addresses that no other server of the process has used.</summary>
internal static class LoopbackAddress
{
    private static int Last;

    public static string Next()
    {
        if (!OperatingSystem.IsLinux())
        {
            return "127.0.0.1"; // other systems have no other address unless they are configured to
        }

        int number = Interlocked.Increment(ref Last);
        return string.Create(CultureInfo.InvariantCulture, $"127.1.{number >> 8}.{number & 0xFF}");
    }
}
