using System.Runtime.CompilerServices;
using Xunit.Sdk;

namespace Transfer.S3.Testing;

/// <summary>Compares several values with one assertion.</summary>
public static class TupleAssertions
{
    extension(Assert)
    {
        /// <summary>
        /// Verifies that the elements of two tuples are equal. Otherwise, the message has those that differ, with the names that they have in the test, such as
        /// <c>result.Failed: expected 0, but was 1</c>.
        /// </summary>
        /// <param name="expected">The expected values.</param>
        /// <param name="actual">The values, written as a tuple.</param>
        /// <param name="expression">The second argument as it is written in the test.</param>
        public static void EachEqual<T>(T expected, T actual, [CallerArgumentExpression(nameof(actual))] string expression = "")
            where T : struct, ITuple
        {
            List<string> names = Split(expression);
            List<string> differences = [];
            for (int i = 0; i < actual.Length; i++)
            {
                if (!AreEqual(expected[i], actual[i]))
                {
                    string name = names.Count == actual.Length ? names[i] : $"element {i + 1} of {expression}";
                    differences.Add($"{name}: expected {expected[i] ?? "null"}, but was {actual[i] ?? "null"}");
                }
            }

            if (differences.Count > 0)
            {
                Assert.Fail(string.Join(Environment.NewLine, differences));
            }
        }
    }

    private static bool AreEqual(object? expected, object? actual)
    {
        try
        {
            Assert.Equal(expected, actual);
            return true;
        }
        catch (XunitException)
        {
            return false;
        }
    }

    /// <summary>Splits a tuple at the commas that are neither in another pair of brackets nor in a literal.</summary>
    private static List<string> Split(string tuple)
    {
        List<string> elements = [];
        if (!tuple.StartsWith('(') || !tuple.EndsWith(')'))
        {
            return elements;
        }

        (int depth, int start, char? quote) = (0, 1, null);
        for (int i = 1; i < tuple.Length; i++)
        {
            char c = tuple[i];
            if (quote is not null)
            {
                quote = c == quote && tuple[i - 1] != '\\' ? null : quote;
            }
            else if (c is '"' or '\'')
            {
                quote = c;
            }
            else if (depth == 0 && (c == ',' || i == tuple.Length - 1))
            {
                elements.Add(tuple[start..i].Trim());
                start = i + 1;
            }
            else
            {
                depth += c is '(' or '[' or '{' ? 1 : c is ')' or ']' or '}' ? -1 : 0;
            }
        }

        return elements;
    }
}
