namespace FromTransferUtility;

/// <summary>The progress of the current transfer, in one line on the terminal that the next line of output replaces.</summary>
internal static class ProgressLine
{
    public static void Show(long bytes, long? totalBytes)
    {
        if (!Console.IsErrorRedirected && totalBytes > 0)
        {
            Console.Error.Write($"  {100 * bytes / totalBytes} %\r");
        }
    }
}
