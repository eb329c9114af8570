namespace Transfer.S3.Cli.Execution;

/// <summary>Finds the causes of exceptions.</summary>
internal static class ExceptionCauses
{
    /// <summary>Gets an exception and its causes, the outermost first.</summary>
    public static IEnumerable<Exception> WithCauses(this Exception? e)
    {
        for (Exception? cause = e; cause is not null; cause = cause.InnerException)
        {
            yield return cause;
        }
    }
}
